import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Visitante, VisitanteInput } from '@balcao/contract/entities/webchat'
import type { LineKey } from '#ports/bots.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { hashToken } from '#security/token.ts'
import { insertVisitor } from './repository.ts'
import { secretSealContext } from './settings.ts'
import type { SiteChat } from './visit.ts'

const VALID_MS = 30 * 24 * 3_600_000
const PAGE_MAX = 500

/** Stores a visitor. Creates no contato. Throws `identidadeInvalida`. */
export async function createVisitor(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'vault'>,
  chat: SiteChat,
  { nome, identidade, pagina = '' }: VisitanteInput,
): Promise<Visitante> {
  const { contaId, linhaId } = chat
  if (identidade !== undefined) requireSignature(deps, chat, identidade)
  const [id, token, now] = [deps.ids.uuid(), deps.ids.token(), deps.clock.now()]
  const expiraEm = new Date(now.getTime() + VALID_MS)
  await deps.db.transaction(contaId, (tx) =>
    insertVisitor(tx, {
      ...{ contaId, linhaId, id, now, expiraEm, tokenHash: hashToken(token) },
      endereco: identidade === undefined ? `web:${id}` : provedAddress(chat, identidade.id),
      nome: identidade?.nome ?? nome ?? '',
      identidade: identidade?.id ?? '',
      // The query of a page may hold personal data.
      pagina: (pagina.split(/[?#]/)[0] ?? '').slice(0, PAGE_MAX),
    }),
  )
  return { token, expiraEm: expiraEm.toISOString() }
}

/** Gives all devices of the customer the same address. The id is free text, so it is hashed. */
function provedAddress({ linhaId }: LineKey, id: string): string {
  return `web:${createHash('sha256').update(`${linhaId}|${id}`).digest('base64url')}`
}

function requireSignature(
  { vault }: Pick<Deps, 'vault'>,
  chat: SiteChat,
  { id, assinatura }: NonNullable<VisitanteInput['identidade']>,
): void {
  const secret = chat.segredo === '' ? null : vault.tryOpen(chat.segredo, secretSealContext(chat))
  const given = /^[0-9a-f]{64}$/i.test(assinatura) ? Buffer.from(assinatura, 'hex') : null
  if (secret === null || given === null) throw new AppError('identidadeInvalida')
  if (!timingSafeEqual(createHmac('sha256', secret).update(id).digest(), given)) {
    throw new AppError('identidadeInvalida')
  }
}
