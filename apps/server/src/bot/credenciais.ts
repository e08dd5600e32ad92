import * as z from 'zod/mini'
import { gravarCredenciais, type Lease } from './bots-repository.ts'
import type { BotDeps } from './runtime-deps.ts'

const seladaSchema = z.string()

/** Where the sealed value stands: it opens nowhere else. */
function lugar(contaId: string): string {
  return `bots|credenciais|${contaId}|sessao`
}

/** The connector's credentials as they were last stored; null before the first pairing, and when they no longer open. */
export function abrirCredenciais(deps: Pick<BotDeps, 'cofre' | 'log'>, { contaId, credenciais }: Lease): unknown {
  const seladas = seladaSchema.safeParse(credenciais)
  if (!seladas.success) return null
  try {
    return JSON.parse(deps.cofre.open(seladas.data, lugar(contaId)))
  } catch (error) {
    deps.log.warn({ err: error, contaId }, 'stored credentials do not open: pairing again')
    return null
  }
}

/** Seals and stores them under this lease; rejects when the lease is another node's. */
export async function salvarCredenciais(
  deps: Pick<BotDeps, 'cofre' | 'db'>,
  { contaId, epoca }: Lease,
  credenciais: unknown,
): Promise<void> {
  const seladas = deps.cofre.seal(JSON.stringify(credenciais), lugar(contaId))
  const minha = await deps.db.transaction(contaId, (tx) => gravarCredenciais(tx, contaId, epoca, seladas))
  if (!minha) throw new Error('the lease is gone')
}
