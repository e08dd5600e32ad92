import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { ipKey } from '#lib/ip-address.ts'

export interface AttemptLimit {
  readonly chave: string
  readonly maximo: number
  readonly janelaMs: number
}

export interface Attempt {
  readonly chaves: readonly string[]
  readonly em: Date
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type KeyDeps = Pick<Deps, 'vault'>

export function passwordLimits({ vault }: KeyDeps, email: string, ip: string): AttemptLimit[] {
  const address = ipKey(ip)
  return [
    { chave: `senha:${vault.counterKey(email)}|${address}`, maximo: 10, janelaMs: 15 * MINUTE_MS },
    { chave: `senha-ip:${address}`, maximo: 50, janelaMs: HOUR_MS },
  ]
}

export function signUpLimit(ip: string): AttemptLimit {
  return { chave: `cadastro:${ipKey(ip)}`, maximo: 100, janelaMs: HOUR_MS }
}

/**
 * Limits for reset mails: per IP address and per e-mail. There is no limit over all of them, because a stranger could
 * use it to stop every reset.
 */
export function resetLimits({ vault }: KeyDeps, email: string, ip: string): AttemptLimit[] {
  return [
    { chave: `redefinir-ip:${ipKey(ip)}`, maximo: 100, janelaMs: HOUR_MS },
    { chave: `redefinir:${vault.counterKey(email)}`, maximo: 5, janelaMs: HOUR_MS },
  ]
}

/** Limits for invitations, which send mail to strangers: per e-mail and per conta. */
export function conviteLimits({ vault }: KeyDeps, email: string, contaId: string): AttemptLimit[] {
  return [
    { chave: `convite:${vault.counterKey(email)}`, maximo: 5, janelaMs: HOUR_MS },
    { chave: `convite-conta:${contaId}`, maximo: 100, janelaMs: HOUR_MS },
  ]
}

export function conviteReadLimit(ip: string): AttemptLimit {
  return { chave: `convite-ip:${ipKey(ip)}`, maximo: 50, janelaMs: HOUR_MS }
}

/** Limits for pairing codes. Each code shows a notification on the phone, which may belong to a stranger. */
export function codeLimits({ vault }: KeyDeps, contaId: string, phone: string): AttemptLimit[] {
  return [
    { chave: `codigo:${vault.counterKey(phone)}`, maximo: 5, janelaMs: HOUR_MS },
    { chave: `codigo-conta:${contaId}`, maximo: 20, janelaMs: HOUR_MS },
  ]
}

/**
 * Counts one attempt against every limit, or throws `muitasTentativas` and counts none. Call it before the
 * expensive check. An advisory lock per key serialises parallel attempts, so they cannot exceed the limit.
 */
export async function countAttempt(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  limits: readonly AttemptLimit[],
): Promise<Attempt> {
  const em = clock.now()
  const chaves = limits.map(({ chave }) => chave).toSorted()
  for (const key of chaves) await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
  for (const limite of limits) await checkLimit(tx, limite, em)
  await tx.kysely
    .insertInto('tentativas')
    .values(chaves.map((chave) => ({ chave, em })))
    .execute()
  return { chaves, em }
}

async function checkLimit(tx: Tx, { chave, maximo, janelaMs }: AttemptLimit, now: Date): Promise<void> {
  const start = new Date(now.getTime() - janelaMs)
  await tx.kysely.deleteFrom('tentativas').where('chave', '=', chave).where('em', '<=', start).execute()
  const last = await tx.kysely
    .selectFrom('tentativas')
    .select('em')
    .where('chave', '=', chave)
    .orderBy('em', 'desc')
    .limit(maximo)
    .execute()
  const first = last[maximo - 1]
  if (first === undefined) return
  const faltaMs = first.em.getTime() + janelaMs - now.getTime()
  throw new AppError('muitasTentativas', { tentarEmS: Math.max(1, Math.ceil(faltaMs / 1000)) })
}

export async function forgetAttempt(tx: Tx, { chaves, em }: Attempt): Promise<void> {
  for (const key of chaves) {
    await tx.query(
      'delete from tentativas where ctid = (select ctid from tentativas where chave = $1 and em = $2 limit 1)',
      [key, em],
    )
  }
}
