/** A decimal number: sign, digits without leading or trailing zeros, and the exponent of the first digit. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly magnitude: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,15}))?$/;

function decimalOf(text: string): Decimal | null {
  const match = NUMBER.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const all = `${whole}${fraction}`;
  const digits = withoutTrailingZeros(all.replace(/^0+/, ''));
  if (digits === '') return { negative: false, digits: '', magnitude: 0 };
  const leading = all.length - all.replace(/^0+/, '').length;
  return { negative: sign === '-', digits, magnitude: whole.length - leading + Number(exponent) };
}

/** Without a regular expression, which would take quadratic time for a long run of zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * Compares two numbers by their digits, so that large integers remain distinct. Returns negative, zero or
 * positive if the first is smaller, equal or larger; null if either is not a number.
 */
export function compareNumbers(one: string, other: string): number | null {
  const a = decimalOf(one);
  const b = decimalOf(other);
  if (a === null || b === null) return null;
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  return a.negative ? -compareSizes(a, b) : compareSizes(a, b);
}

function compareSizes(a: Decimal, b: Decimal): number {
  if (a.digits === '' || b.digits === '') return Number(a.digits !== '') - Number(b.digits !== '');
  if (a.magnitude !== b.magnitude) return a.magnitude - b.magnitude;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}
