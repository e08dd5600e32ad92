const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Text that a browser or an interpreter could run. */
const MARKUP =
  /<(?:!doctype|\?(?:php|=)|html|head|body|script|svg|iframe|object|embed|meta|link|style|img|a\s|x:)|javascript:/i
/** Weaker pattern for pictures and audio, whose metadata contains XML such as `<x:xmpmeta`. */
const PAGE_MARKUP = /<(?:!doctype html|\?php|html|body|script|svg|iframe)[\s>/]/i

/** UTF-8 without control characters and without markup that a browser would run. */
export function isPlainText(bytes: Buffer): boolean {
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch {
    return false
  }
  // oxlint-disable-next-line no-control-regex -- these are what text does not have
  if (/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text)) return false
  return !/^\s*(?:<|#!|%!)/.test(text) && !MARKUP.test(text)
}

export function hidesPage(bytes: Buffer): boolean {
  return PAGE_MARKUP.test(bytes.toString('latin1'))
}
