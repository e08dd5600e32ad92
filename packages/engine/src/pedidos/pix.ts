import type { LojaConfig } from '@balcao/contract/entities/loja'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { parsePixChave } from '@balcao/contract/entities/pix-chave'

/** Static BR Code. Source: Banco Central do Brasil, "Manual de Padrões para Iniciação do Pix" (EMV QRCPS-MPM). */

const NAME_MAX = 25
const CITY_MAX = 15
const DEFAULT_CITY = 'BRASIL'

/** The code that customers paste into their bank. Null without a valid key. `txid`: 1 to 25 of `[A-Za-z0-9]`. */
export function pixCode(
  { chave, nome, cidade }: LojaConfig['pix'],
  { valorCentavos, txid }: { readonly valorCentavos: number; readonly txid: string },
  empresa: string,
): string | null {
  const key = parsePixChave(chave)
  if (key === null) return null
  const body = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key.chave)),
    field('52', '0000'),
    field('53', '986'),
    // Without a sum the customer types one.
    valorCentavos > 0 ? field('54', (valorCentavos / 100).toFixed(2)) : '',
    field('58', 'BR'),
    field('59', plainText(nome, NAME_MAX) || plainText(empresa, NAME_MAX) || 'LOJA'),
    field('60', plainText(cidade, CITY_MAX) || DEFAULT_CITY),
    field('62', field('05', txid)),
    '6304',
  ].join('')
  return body + crc16(body)
}

const CODE_FIELDS = /^(\d{2})(\d{2})/

/** The fields of a code or of one of its templates, by number. Empty for another text. */
function fieldsOf(code: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  let rest = code
  for (;;) {
    const [, id, length] = CODE_FIELDS.exec(rest) ?? []
    if (id === undefined) return fields
    const end = 4 + Number(length)
    fields.set(id, rest.slice(4, end))
    rest = rest.slice(end)
  }
}

export interface PixCodeParts {
  readonly chave: string
  readonly nome: string
  /** 0: the customer types the sum. */
  readonly valorCentavos: number
  readonly txid: string
}

/** The parts of a code of `pixCode`. Null for another text. */
export function readPixCode(code: string): PixCodeParts | null {
  if (!isPixCode(code)) return null
  const fields = fieldsOf(code)
  const [chave, nome] = [fieldsOf(fields.get('26') ?? '').get('01'), fields.get('59')]
  const txid = fieldsOf(fields.get('62') ?? '').get('05')
  if (chave === undefined || nome === undefined || txid === undefined) return null
  return { chave, nome, valorCentavos: Math.round(Number(fields.get('54') ?? 0) * 100), txid }
}

const CODE_MAX = 512

/** True for a text with the frame and the check digits of a code. */
export function isPixCode(text: string): boolean {
  const body = text.slice(0, -4)
  return text.length <= CODE_MAX && /^000201[ -~]+6304$/.test(body) && crc16(body) === text.slice(-4)
}

const PICTURE = '/api/pix/qr.png?codigo='

/** Address of the picture of a code. It contains the code, so the picture is drawn and never stored. */
export function pixPictureUrl(code: string): string {
  return PICTURE + encodeURIComponent(code)
}

/** The code of such an address. Null: another address. */
export function codeOfPixPicture(url: string): string | null {
  if (!url.startsWith(PICTURE)) return null
  const written = url.slice(PICTURE.length)
  // Only addresses of this program: a broken escape would make `decodeURIComponent` throw.
  const code = /^(?:[^%]|%[0-7][0-9A-F])*$/i.test(written) ? decodeURIComponent(written) : ''
  return isPixCode(code) ? code : null
}

/** Number, length in two digits, value. */
function field(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`
}

function plainText(text: string, max: number): string {
  return foldAccents(text)
    .toUpperCase()
    .replace(/[^ -~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, max)
    .trim()
}

/** CRC-16/CCITT-FALSE of ASCII text, as four hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (let i = 0; i < text.length; i += 1) {
    crc ^= text.charCodeAt(i) << 8
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

/** The `txid` of an order: its UUID in base 36, so that no two orders share one. */
export function txidOf(pedidoId: string): string {
  return BigInt(`0x${pedidoId.replaceAll('-', '')}`)
    .toString(36)
    .toUpperCase()
    .padStart(25, '0')
}
