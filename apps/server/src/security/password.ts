import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { SENHA_MAXIMO_BYTES } from '@balcao/contract/constants'
import { AppError } from '#errors.ts'
import { createGate } from '#lib/gate.ts'
import { networkKey } from '#lib/ip-address.ts'

/**
 * argon2id, the library's default algorithm. `memoryCost` in KiB. Hashes with other parameters are renewed at
 * login.
 */
const HASH_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

const { memoryCost, timeCost, parallelism } = HASH_PARAMETERS
const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replaceAll('=', '')

/** Matches no password. Verifying against it takes as long as a real check. */
const DUMMY_HASH = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${zeros(16)}$${zeros(32)}`

/**
 * Shared by the whole process, because a flood of logins would exhaust its CPU and memory. One CPU stays free for the
 * bots. Free slots go to the networks in turn. An address may have 10 wrong tries at once for an e-mail, so 12 tries of
 * its network may wait.
 */
const hashGate = createGate({
  atOnce: availableParallelism() > 2 ? 2 : 1,
  waiting: 50,
  waitingPerKey: 12,
  full: () => new AppError('muitasTentativas', { tentarEmS: 2 }),
})

/** Password of an administrator, shown once. 20 characters. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url')
}

/** Returns the PHC string to store. The password is neither trimmed nor normalised. `ip` is the address of the caller. */
export async function hashPassword(password: string, ip = ''): Promise<string> {
  if (!fits(password)) throw new AppError('dadosInvalidos', { erro: 'Senha muito longa' })
  return hashGate.run(() => hash(password, HASH_PARAMETERS), networkKey(ip))
}

/** Throws `muitasTentativas` if no check of a password from this address could wait now. */
export function requireHashSlot(ip: string): void {
  hashGate.check(networkKey(ip))
}

/** Called inside the limited section, so that only a few attempts are counted before their check. */
export interface AttemptGuard {
  /** Throws to refuse the attempt before hashing. */
  readonly before: () => Promise<void>
  readonly right: () => Promise<void>
}

/** Checks a password. Without a hash (unknown usuario) the check takes equally long and returns false. */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  ip: string,
  guard?: AttemptGuard,
): Promise<boolean> {
  if (!fits(password)) return false
  return hashGate.run(async () => {
    await guard?.before()
    const matches = (await verify(passwordHash ?? DUMMY_HASH, password)) && passwordHash !== null
    if (matches) await guard?.right()
    return matches
  }, networkKey(ip))
}

export function isOutdatedHash(passwordHash: string): boolean {
  const used = parseOptions(passwordHash)
  return used.memoryCost !== memoryCost || used.timeCost !== timeCost || used.parallelism !== parallelism
}

function fits(password: string): boolean {
  return Buffer.byteLength(password) <= SENHA_MAXIMO_BYTES
}
