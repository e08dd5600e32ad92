import { FILE_NAME } from '#lib/file-names.ts'
import type { Clock } from '#ports/clock.ts'
import type { FileLinks } from '#ports/file-links.ts'
import type { Vault } from './vault.ts'

/** Path of chat files. The address that is stored ends with the name. */
export const MIDIA_PREFIX = '/api/midias/'

/** An address stays equal within a slot, so that equal reads stay equal and browsers reuse the file. */
const SLOT_MS = 5 * 60_000
/** From the start of the slot: an address works for 5 to 10 minutes. */
const VALID_MS = 10 * 60_000

/** Quotes inside a JSON string are escaped, so no text of a person matches. */
const FIELD_IN_JSON = new RegExp(`("(?:url|imagemUrl)":")(${MIDIA_PREFIX}[^"\\\\?]+)"`, 'g')

interface FileLinksDeps {
  readonly vault: Pick<Vault, 'sign' | 'isSigned'>
  readonly clock: Clock
}

export function createFileLinks({ vault, clock }: FileLinksDeps): FileLinks {
  const sign: FileLinks['sign'] = (contaId, url, validMs = VALID_MS) => {
    const name = url.slice(MIDIA_PREFIX.length)
    if (!url.startsWith(MIDIA_PREFIX) || !FILE_NAME.test(name)) return url
    const slot = Math.floor(clock.now().getTime() / SLOT_MS) * SLOT_MS
    const end = String((slot + validMs) / 1000)
    return `${url}?e=${end}&a=${vault.sign(signedText(contaId, name, end))}`
  }
  return {
    sign,
    signJson: (contaId, json) =>
      json.includes(MIDIA_PREFIX)
        ? json.replace(FIELD_IN_JSON, (_all, field: string, url: string) => `${field}${sign(contaId, url)}"`)
        : json,
    isValid: (contaId, name, { e, a }) =>
      /^\d{1,12}$/.test(e) &&
      Number(e) * 1000 > clock.now().getTime() &&
      vault.isSigned(signedText(contaId, name, e), a),
  }
}

function signedText(contaId: string, name: string, end: string): string {
  return `${contaId}|${name}|${end}`
}
