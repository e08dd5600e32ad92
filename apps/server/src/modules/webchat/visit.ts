import { LRUCache } from 'lru-cache'
import type { FastifyRequest } from 'fastify'
import type { LineKey } from '#ports/bots.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bearerToken, readForStranger } from '#http/authentication.ts'
import { createTokenBuckets } from '#http/limits/token-buckets.ts'
import { hashToken } from '#security/token.ts'
import type { ChatRef } from '#ports/webchat/chat.ts'
import { findVisit, isTokenOfAny, type VisitRow } from './repository.ts'

/** The chat that a request without login names by its key. */
export interface SiteChat
  extends LineKey, Pick<VisitRow, 'origens' | 'cor' | 'saudacao' | 'pedirNome' | 'empresa' | 'segredo'> {}

/** A visitor with a valid token. */
export interface ChatVisit extends ChatRef, SiteChat {
  readonly visitanteId: string
  readonly nome: string
}

const KEYS_CACHED = 10_000
const KEY_PATTERN = /^[\w-]{10,64}$/
/** Requests of all visitors of one chat. They do not use the budget of the people of the account. */
const REQUESTS_PER_CHAT = { perSecond: 200, burst: 2_000 }

const ENDED_TEXT = 'Esta conversa terminou. Comece de novo.'

export interface Visits {
  /** Throws `naoEncontrado`, `origemNaoPermitida`, `muitasTentativas`. */
  readonly requireChat: (request: FastifyRequest, chave: string) => Promise<SiteChat>
  /** As `requireChat`. Throws `semSessao` for a wrong token, `naoEncontrado` for the token of another key. */
  readonly requireVisit: (request: FastifyRequest, chave: string) => Promise<ChatVisit>
}

type VisitDeps = Pick<Deps, 'db' | 'clock' | 'settings'>

export function createVisits(deps: VisitDeps): Visits {
  const { db, clock, settings } = deps
  const known = new LRUCache<string, string>({ max: KEYS_CACHED })
  const takeRequest = createTokenBuckets(REQUESTS_PER_CHAT)
  const ours = new URL(settings.urlPublica).origin

  /** A known key waits with the requests of its account, so strangers do not delay visitors. */
  const find = async (request: FastifyRequest, chave: string, tokenHash: Buffer | null): Promise<VisitRow> => {
    const read = (tx: Tx): Promise<VisitRow | null> => findVisit(tx, { chave, tokenHash, now: clock.now() })
    const contaId = known.get(chave)
    const row = !KEY_PATTERN.test(chave)
      ? null
      : contaId === undefined
        ? await readForStranger(request, () => db.read('*', read))
        : await db.read(contaId, read)
    if (row === null) {
      known.delete(chave)
      throw new AppError('naoEncontrado')
    }
    known.set(chave, row.contaId)
    requireOrigin(request, [ours, ...row.origens])
    if (!takeRequest(row.linhaId)) throw new AppError('muitasTentativas', { tentarEmS: 1 })
    return row
  }

  return {
    requireChat: (request, chave) => find(request, chave, null),
    requireVisit: async (request, chave) => {
      const token = bearerToken(request)
      const tokenHash = token === null ? null : hashToken(token)
      const row = await find(request, chave, tokenHash)
      const { visitanteId } = row
      if (token === null || tokenHash === null) throw new AppError('semSessao', { erro: ENDED_TEXT })
      if (visitanteId === null) {
        request.server.knownTokens.delete(token)
        const now = clock.now()
        const ofOther = await readForStranger(request, () => db.read('*', (tx) => isTokenOfAny(tx, { tokenHash, now })))
        throw ofOther ? new AppError('naoEncontrado') : new AppError('semSessao', { erro: ENDED_TEXT })
      }
      // The visitors behind one address have separate rate limits.
      request.server.knownTokens.add(token)
      return { ...row, visitanteId }
    },
  }
}

/** Programs send no `Origin`. A page of the server itself may be open under another name than the public one. */
function requireOrigin({ headers, host, protocol }: FastifyRequest, allowed: readonly string[]): void {
  const { origin } = headers
  if (origin === undefined || origin === `${protocol}://${host}` || allowed.includes(origin)) return
  throw new AppError('origemNaoPermitida')
}
