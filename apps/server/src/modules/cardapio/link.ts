import type { Config } from '@balcao/contract/entities/config'
import type { Deps } from '#deps.ts'
import type { LineSections } from '#modules/configuracao/index.ts'

/** The address of the page, also with a signed token of one customer in the chat. */

const VALID_MS = 24 * 3_600_000

export interface PageVisitor {
  readonly contatoId: string
  /** Line of the chat with the link. */
  readonly linhaId: string
}

export type PageLink = (visitor: PageVisitor & { readonly now: Date }) => string

export function pageUrl({ settings }: Pick<Deps, 'settings'>, endereco: string): string {
  return `${settings.urlPublica}/m/${endereco}`
}

/** Null: the page is off, or no text of the conta names `{link}`. */
export function pageLinkOf(
  deps: Pick<Deps, 'settings' | 'vault'>,
  contaId: string,
  { config, lineSections }: { readonly config: Config; readonly lineSections: LineSections },
): PageLink | null {
  const { menu, loja } = config
  const { ativa, endereco } = loja.pagina
  if (!ativa || endereco === '') return null
  if (!JSON.stringify([menu, loja.mensagens, lineSections]).includes('{link}')) return null
  const url = pageUrl(deps, endereco)
  return ({ contatoId, linhaId, now }) => {
    const ends = now.getTime() + VALID_MS
    const signature = deps.vault.sign(signedText(contaId, { contatoId, linhaId }, ends))
    const line = linhaId === contaId ? '' : shorten(linhaId)
    return `${url}?t=${[shorten(contatoId), line, ends.toString(36), signature].join('.')}`
  }
}

function signedText(contaId: string, { contatoId, linhaId }: PageVisitor, ends: number): string {
  return `cardapio|${contaId}|${contatoId}|${linhaId}|${ends}`
}

/** Null for a token that is wrong, expired or of another conta. */
export function readPageToken(
  { vault, clock }: Pick<Deps, 'vault' | 'clock'>,
  contaId: string,
  token: string,
): PageVisitor | null {
  const [contato = '', line = '', end = '', signature = ''] = token.split('.')
  const contatoId = lengthen(contato)
  const linhaId = line === '' ? contaId : lengthen(line)
  const ends = Number.parseInt(end, 36)
  if (contatoId === null || linhaId === null || !(ends > clock.now().getTime())) return null
  const visitor = { contatoId, linhaId }
  return vault.isSigned(signedText(contaId, visitor, ends), signature) ? visitor : null
}

const shorten = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')

function lengthen(short: string): string | null {
  const hex = Buffer.from(short, 'base64url').toString('hex')
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null
}
