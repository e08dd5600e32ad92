import { TEXTO_MAXIMO } from '@balcao/contract/constants'

/** Tool calls that a model sometimes writes as text. */
const WRITTEN_TOOL_CALLS = [
  /```(?:tool_code|tool_call|tool_outputs?|json_tool)[^`]*(?:```|$)/g,
  /<(tool_call|tool_code|function_call|tool_response)>[\s\S]*?(?:<\/\1>|$)/g,
  /^.*\bdefault_api\..*$/gm,
  /<ctrl\d+>/g,
]
// Invisible characters, except line breaks, tabs and the joiner of emojis.
const INVISIBLE_CHARS = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/**
 * Cleans a model's answer for WhatsApp: removes written tool calls and control characters, converts Markdown to
 * WhatsApp's marks, cuts at 4096 characters. Empty when no text remains.
 */
export function cleanResposta(raw: string): string {
  let text = raw.toWellFormed().replaceAll('\r\n', '\n')
  for (const padrao of WRITTEN_TOOL_CALLS) text = text.replace(padrao, '')
  text = text.replace(INVISIBLE_CHARS, (letter) => (letter === '\n' || letter === '\t' ? letter : ''))
  return shorten(
    toWhatsAppMarks(text)
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  )
}

function toWhatsAppMarks(text: string): string {
  return text
    .replace(/^#{1,6} +(.+)$/gm, '*$1*')
    .replace(/\*\*([^*\n]+)\*\*/g, '*$1*')
    .replace(/\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()]{1,500})\)/g, (_tudo, label: string, url: string) =>
      label === url ? url : `${label}: ${url}`,
    )
}

/** Cuts between words and never inside a surrogate pair. */
function shorten(text: string): string {
  if (text.length <= TEXTO_MAXIMO) return text
  const cut = text.slice(0, TEXTO_MAXIMO - 1)
  const word = cut.search(/\s\S*$/)
  return `${(word > TEXTO_MAXIMO / 2 ? cut.slice(0, word) : cut).toWellFormed().replace(/\ufffd$/, '')}…`
}
