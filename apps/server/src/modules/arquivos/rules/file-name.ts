import type { ArquivoType } from './sniff.ts'

const NAME_MAX = 120
/** `normalize` needs quadratic time for a long run of marks. */
const SENT_MAX = 1_000

/**
 * The extension matches the content: `boleto.bat` with plain text becomes `boleto.bat.txt`. '' if no character is left.
 */
export function displayName(sent: string, { extensions }: Pick<ArquivoType, 'extensions'>): string {
  const clean = (sent.split(/[/\\]/).at(-1) ?? '')
    .slice(0, SENT_MAX)
    .toWellFormed()
    .normalize('NFC')
    // Format characters may reverse the text direction.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+/, '')
    .trim()
  const [base, extension] = splitExtension(clean, extensions)
  const short = [...base]
    .slice(0, NAME_MAX - extension.length - 1)
    .join('')
    .replace(/[\s.]+$/, '')
  return short === '' ? '' : `${short}.${extension}`
}

function splitExtension(nome: string, extensoes: ArquivoType['extensions']): [base: string, extensao: string] {
  const [base = '', found] = /^(.*)\.([^.]+)$/u.exec(nome)?.slice(1) ?? [nome]
  const correct = extensoes.find((extension) => extension === found?.toLowerCase())
  return correct === undefined ? [nome, extensoes[0]] : [base, correct]
}

export function contentDisposition(mode: 'inline' | 'attachment', name: string): string {
  if (name === '') return mode
  const ascii = name
    .normalize('NFD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/["\\%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${mode}; filename="${ascii}"; filename*=UTF-8''${exact}`
}
