import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { loadAccountContext, type AccountContext, type AccountContextDeps } from '#modules/ia/index.ts'
import { Lru } from '#lib/lru.ts'

const CONTAS_CACHED = 5_000
/** Limits how long a context is outdated when the bus event of another node is lost. */
const TTL_MS = 15_000

interface CachedContext {
  readonly context: Promise<AccountContext>
  readonly ready: { valor: AccountContext | null }
  readonly readAt: number
}

export interface AccountContexts {
  /** The cached context, or null when it must be loaded. */
  readonly peek: (contaId: string) => AccountContext | null
  readonly get: (contaId: string) => Promise<AccountContext>
  /**
   * For callers inside a transaction: reads on the same connection, because waiting for a second one could deadlock
   * the pool.
   */
  readonly getIn: (tx: Tx, contaId: string) => Promise<AccountContext>
  readonly changed: (contaId: string) => void
}

export function createAccountContexts(deps: Pick<Deps, 'db'> & AccountContextDeps): AccountContexts {
  const stored = new Lru<CachedContext>(CONTAS_CACHED)

  const current = (contaId: string): CachedContext | undefined => {
    const guardado = stored.get(contaId)
    return guardado !== undefined && performance.now() - guardado.readAt < TTL_MS ? guardado : undefined
  }

  const read = (contaId: string): CachedContext => {
    const contexto = deps.db.transaction(contaId, (tx) => loadAccountContext(tx, deps, contaId))
    const guardado: CachedContext = { context: contexto, ready: { valor: null }, readAt: performance.now() }
    stored.set(contaId, guardado)
    contexto.then(
      (value) => (guardado.ready.valor = value),
      () => stored.delete(contaId),
    )
    return guardado
  }

  return {
    peek: (contaId) => current(contaId)?.ready.valor ?? null,
    get: (contaId) => (current(contaId) ?? read(contaId)).context,
    getIn: async (tx, contaId) => current(contaId)?.ready.valor ?? loadAccountContext(tx, deps, contaId),
    changed: (contaId) => stored.delete(contaId),
  }
}
