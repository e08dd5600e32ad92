import * as z from 'zod/mini'
import { gravarCredenciais, type Lease } from './bots-repository.ts'
import type { BotDeps } from './runtime-deps.ts'

const seladaSchema = z.string()

function lugar(contaId: string): string {
  return `bots|credenciais|${contaId}|sessao`
}

/** Returns the connector's credentials, or null before the first pairing or when they cannot be decrypted. */
export function abrirCredenciais(deps: Pick<BotDeps, 'cofre' | 'log'>, { contaId, credenciais }: Lease): unknown {
  const seladas = seladaSchema.safeParse(credenciais)
  if (!seladas.success) return null
  try {
    return JSON.parse(deps.cofre.open(seladas.data, lugar(contaId)))
  } catch (error) {
    deps.log.warn({ err: error, contaId }, 'stored credentials not readable, pairing again')
    return null
  }
}

export async function salvarCredenciais(
  deps: Pick<BotDeps, 'cofre' | 'db'>,
  { contaId, epoca }: Lease,
  credenciais: unknown,
): Promise<void> {
  const seladas = deps.cofre.seal(JSON.stringify(credenciais), lugar(contaId))
  const minha = await deps.db.transaction(contaId, (tx) => gravarCredenciais(tx, contaId, epoca, seladas))
  if (!minha) throw new Error('lease lost')
}
