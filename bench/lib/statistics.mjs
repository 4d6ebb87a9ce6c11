export const sorted = (values) => [...values].sort((a, b) => a - b);

/** The value below which this share of all values is. */
export function quantile(values, share) {
  const all = sorted(values);
  return all[Math.min(all.length - 1, Math.floor(all.length * share))];
}

export const median = (values) => quantile(values, 0.5);

/** "12.3 (11.9-14.0)": the median and the range of the rounds. */
export function spread(values, digits = 2) {
  const [middle, low, high] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
}
