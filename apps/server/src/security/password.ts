import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { SENHA_MAXIMO_BYTES } from '@balcao/contract/constants'
import { AppError } from '#errors.ts'
import { createGate, type Gate } from '#lib/queue/gate.ts'
import { networkKey } from '#lib/ip-address.ts'

/** Work of one hash. `memoryCost` in KiB. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
}

const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replaceAll('=', '')

/** Called inside the limited section, so that only a few attempts are counted before their check. */
export interface AttemptGuard {
  /** Throws to refuse the attempt before hashing. */
  readonly before: () => Promise<void>
  readonly right: () => Promise<void>
}

/** Hashes and checks passwords. `ip` is the address of the caller. */
export interface PasswordHasher {
  /** Returns the PHC string to store. The password is neither trimmed nor normalised. */
  readonly hash: (password: string, ip?: string) => Promise<string>
  /** Checks a password. Without a hash (unknown usuario) the check takes equally long and returns false. */
  readonly verify: (passwordHash: string | null, password: string, ip: string, guard?: AttemptGuard) => Promise<boolean>
  /** Throws `muitasTentativas` if no check of a password from this address could wait now. */
  readonly requireSlot: (ip: string) => void
  /** True for a hash with other parameters. It is renewed at login. */
  readonly isOutdated: (passwordHash: string) => boolean
}

/** argon2id, the library's default algorithm. Create it once for the process, because it limits the hashes at once. */
export function createPasswords({ memoryCost, timeCost }: PasswordCost = COST): PasswordHasher {
  const parameters = { memoryCost, timeCost, parallelism: 1, outputLen: 32 }
  /** Matches no password. Verifying against it takes as long as a real check. */
  const dummyHash = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${zeros(16)}$${zeros(32)}`
  const gate = createHashGate()
  return {
    hash: async (password, ip = '') => {
      if (!fits(password)) throw new AppError('dadosInvalidos', { erro: 'Senha muito longa' })
      return gate.run(() => hash(password, parameters), networkKey(ip))
    },
    verify: async (passwordHash, password, ip, guard) => {
      if (!fits(password)) return false
      return gate.run(async () => {
        await guard?.before()
        const matches = (await verify(passwordHash ?? dummyHash, password)) && passwordHash !== null
        if (matches) await guard?.right()
        return matches
      }, networkKey(ip))
    },
    requireSlot: (ip) => gate.check(networkKey(ip)),
    isOutdated: (passwordHash) => {
      const used = parseOptions(passwordHash)
      return used.memoryCost !== memoryCost || used.timeCost !== timeCost || used.parallelism !== 1
    },
  }
}

/**
 * A flood of logins would exhaust the CPU and memory of the process. One CPU stays free for the bots. Free slots go to
 * the networks in turn. An address may have 10 wrong tries at once for an e-mail, so 12 tries of its network may wait.
 */
function createHashGate(): Gate {
  return createGate({
    atOnce: availableParallelism() > 2 ? 2 : 1,
    waiting: 50,
    waitingPerKey: 12,
    full: () => new AppError('muitasTentativas', { tentarEmS: 2 }),
  })
}

/** Password of an administrator, shown once. 20 characters. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url')
}

function fits(password: string): boolean {
  return Buffer.byteLength(password) <= SENHA_MAXIMO_BYTES
}
