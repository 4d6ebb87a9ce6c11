export { jsonContent, jsonItems, jsonObject, jsonText, RawJson, type WithRaw } from '../reference/json-text';
