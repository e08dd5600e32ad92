import * as z from 'zod/mini'
import { updateCredentials, type Lease } from '#modules/bot/repository.ts'
import type { BotDeps } from '#bot/deps.ts'

const sealedSchema = z.string()

function sealPlace(contaId: string): string {
  return `bots|credenciais|${contaId}|sessao`
}

/** Returns the connector's credentials, or null before the first pairing or when they cannot be decrypted. */
export function openCredentials(deps: Pick<BotDeps, 'vault' | 'log'>, { contaId, credenciais }: Lease): unknown {
  const sealed = sealedSchema.safeParse(credenciais)
  if (!sealed.success) return null
  try {
    return JSON.parse(deps.vault.open(sealed.data, sealPlace(contaId)))
  } catch (error) {
    deps.log.warn({ err: error, contaId }, 'stored credentials not readable, pairing again')
    return null
  }
}

export async function saveCredentials(
  deps: Pick<BotDeps, 'vault' | 'db'>,
  { contaId, epoca }: Lease,
  credentials: unknown,
): Promise<void> {
  const sealed = deps.vault.seal(JSON.stringify(credentials), sealPlace(contaId))
  const mine = await deps.db.transaction(contaId, (tx) => updateCredentials(tx, contaId, epoca, sealed))
  if (!mine) throw new Error('lease lost')
}
