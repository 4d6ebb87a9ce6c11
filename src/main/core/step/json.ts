export {
  jsonContent,
  jsonItems,
  jsonObject,
  jsonText,
  RawJson,
  type WithRaw,
} from '@areas/workflows/core/reference/json-text';
