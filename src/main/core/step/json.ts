export { jsonObject, withoutFence } from '../reference/json-field';
