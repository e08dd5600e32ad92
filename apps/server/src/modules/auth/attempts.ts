import * as z from 'zod/mini'
import { sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { ipKey, networkKey } from '#lib/ip-address.ts'

export interface AttemptLimit {
  readonly chave: string
  /** Null: counted, never refused. */
  readonly maximo: number | null
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
  const network = networkKey(ip)
  return [
    { chave: `senha:${vault.counterKey(email)}|${address}`, maximo: 10, janelaMs: 15 * MINUTE_MS },
    { chave: `senha-ip:${address}`, maximo: 50, janelaMs: HOUR_MS },
    // An IPv4 address is its own network.
    ...(network === address ? [] : [{ chave: `senha-rede:${network}`, maximo: 500, janelaMs: HOUR_MS }]),
  ]
}

export function emailCounter({ vault }: KeyDeps, email: string): AttemptLimit {
  return { chave: `senha-email:${vault.counterKey(email)}`, maximo: null, janelaMs: HOUR_MS }
}

export function loginLimit(usuarioId: string): AttemptLimit {
  return { chave: `entrar:${usuarioId}`, maximo: 60, janelaMs: HOUR_MS }
}

/** Per conta, and per address over all contas. */
export function manutencaoLimits(contaId: string, ip: string): AttemptLimit[] {
  return [
    { chave: `manutencao:${contaId}`, maximo: 5, janelaMs: 15 * MINUTE_MS },
    { chave: `manutencao-ip:${ipKey(ip)}`, maximo: 20, janelaMs: HOUR_MS },
  ]
}

export function secondFactorLimit(usuarioId: string): AttemptLimit {
  return { chave: `fator:${usuarioId}`, maximo: 20, janelaMs: HOUR_MS }
}

export function challengeLimit(ip: string): AttemptLimit {
  return { chave: `passkey:${ipKey(ip)}`, maximo: 300, janelaMs: HOUR_MS }
}

export function signUpLimit(ip: string): AttemptLimit {
  return { chave: `cadastro:${ipKey(ip)}`, maximo: 100, janelaMs: HOUR_MS }
}

/** There is no limit over all of them, because a stranger could use it to stop every reset. */
export function resetLimits({ vault }: KeyDeps, email: string, ip: string): AttemptLimit[] {
  return [
    { chave: `redefinir-ip:${ipKey(ip)}`, maximo: 100, janelaMs: HOUR_MS },
    { chave: `redefinir:${vault.counterKey(email)}`, maximo: 5, janelaMs: HOUR_MS },
  ]
}

export function conviteLimits({ vault }: KeyDeps, email: string, contaId: string): AttemptLimit[] {
  return [
    { chave: `convite:${vault.counterKey(email)}`, maximo: 5, janelaMs: HOUR_MS },
    { chave: `convite-conta:${contaId}`, maximo: 100, janelaMs: HOUR_MS },
  ]
}

export function conviteReadLimit(ip: string): AttemptLimit {
  return { chave: `convite-ip:${ipKey(ip)}`, maximo: 50, janelaMs: HOUR_MS }
}

/** Each code shows a notification on the phone, which may belong to a stranger. */
export function codeLimits({ vault }: KeyDeps, contaId: string, phone: string): AttemptLimit[] {
  return [
    { chave: `codigo:${vault.counterKey(phone)}`, maximo: 5, janelaMs: HOUR_MS },
    { chave: `codigo-conta:${contaId}`, maximo: 20, janelaMs: HOUR_MS },
  ]
}

const PER_MINUTE = {
  chave: 30,
  conversa: 60,
  avaliacao: 60,
  aviso: 5,
  resumo: 1,
  impressora: 10,
  sugestao: 10,
} as const

/** `id`: the conta, for notices and suggestions the usuario. */
export function testLimit(what: keyof typeof PER_MINUTE, id: string): AttemptLimit[] {
  return [{ chave: `teste-${what}:${id}`, maximo: PER_MINUTE[what], janelaMs: MINUTE_MS }]
}

const key = sql`chave = ${value('key', 'text')}`

const lockKey = noRows(
  'auth: lock attempts',
  sql`select pg_advisory_xact_lock(hashtextextended(${value('key', 'text')}, 0))`,
)

const deleteOld = noRows(
  'auth: delete old attempts',
  sql`delete from tentativas where ${key} and em <= ${value('until', 'timestamptz')}`,
)

const insertAttempts = noRows(
  'auth: insert attempts',
  sql`insert into tentativas (chave, em) select unnest(${value('chaves', 'text[]')}), ${value('em', 'timestamptz')}`,
)

const findOldest = oneRow(
  'auth: find oldest attempt',
  z.object({ em: z.date() }),
  sql`select em from tentativas where ${key} and em > ${value('after', 'timestamptz')}
      order by em desc offset ${value('number', 'int')} - 1 limit 1`,
)

const countAttempts = oneValue(
  'auth: count attempts',
  z.int(),
  sql`select count(*)::int as value from (
        select from tentativas where ${key} and em > ${value('after', 'timestamptz')} limit ${value('max', 'int')}) t`,
)

const touch = noRows(
  'auth: touch attempt',
  sql`update tentativas set em = em where ctid = (select ctid from tentativas where ${key} limit 1)`,
)

const deleteAttempt = noRows(
  'auth: delete attempt',
  sql`delete from tentativas where ctid = (
        select ctid from tentativas where ${key} and em = ${value('em', 'timestamptz')} limit 1)`,
)

/**
 * Throws `muitasTentativas` and counts none if a limit is reached. Call it before the expensive check. A lock per key
 * serialises parallel attempts.
 */
export async function countAttempt(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  limits: readonly AttemptLimit[],
): Promise<Attempt> {
  const em = clock.now()
  const chaves = limits.map(({ chave }) => chave).toSorted()
  for (const chave of chaves) await lockKey(tx, { key: chave })
  for (const { chave, janelaMs } of limits) {
    await deleteOld(tx, { key: chave, until: new Date(em.getTime() - janelaMs) })
  }
  await checkLimits(tx, { clock }, limits)
  await insertAttempts(tx, { chaves, em })
  return { chaves, em }
}

/** Throws `muitasTentativas`. Counts and locks nothing. */
export async function checkLimits(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  limits: readonly AttemptLimit[],
): Promise<void> {
  const now = clock.now().getTime()
  for (const { chave, maximo, janelaMs } of limits) {
    if (maximo === null) continue
    const oldest = await findOldest(tx, { key: chave, after: new Date(now - janelaMs), number: maximo })
    if (oldest === null) continue
    const faltaMs = oldest.em.getTime() + janelaMs - now
    throw new AppError('muitasTentativas', { tentarEmS: Math.max(1, Math.ceil(faltaMs / 1000)) })
  }
}

export async function countRecent(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  { chave, janelaMs }: AttemptLimit,
  upTo: number,
): Promise<number> {
  return countAttempts(tx, { key: chave, after: new Date(clock.now().getTime() - janelaMs), max: upTo })
}

export async function touchAttempt(tx: Tx, deps: KeyDeps, email: string): Promise<void> {
  await touch(tx, { key: emailCounter(deps, email).chave })
}

export async function forgetAttempt(tx: Tx, { chaves, em }: Attempt): Promise<void> {
  for (const chave of chaves) await deleteAttempt(tx, { key: chave, em })
}
