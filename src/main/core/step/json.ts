export { jsonObject } from '../reference/json-field';
