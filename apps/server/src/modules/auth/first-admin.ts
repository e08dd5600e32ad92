import { SENHA_MINIMO } from '@balcao/contract/constants'
import { emailSchema } from '@balcao/contract/entities/common'
import * as z from 'zod/mini'
import { sql } from '#db/statement/sql.ts'
import { noRows, oneValue } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { generatePassword } from '#security/password.ts'
import { createConta } from './create-conta.ts'
import { weaknessOf } from './senha/password-rule.ts'

const DEFAULT_EMAIL = 'admin@balcao.local'

const PLACEHOLDER_PASSWORDS = new Set([
  'admin',
  'change-me',
  'change_me',
  'changeme',
  'default',
  'example',
  'exemplo',
  'mudar',
  'mude-me',
  'mudeme',
  'password',
  'placeholder',
  'secret',
  'segredo',
  'senha',
  'sua-senha',
  'trocar',
  'troque-me',
  'troqueme',
])

const lockFirstAdmin = noRows(
  'auth: lock first admin',
  sql`select pg_advisory_xact_lock(hashtextextended('primeiro-admin', 0))`,
)

const hasAdmin = oneValue(
  'auth: has admin',
  z.boolean(),
  sql`select exists (select from usuarios where tipo = 'admin' and excluido_em is null) as value`,
)

interface FirstAdmin {
  readonly created: boolean
  readonly email: string
  readonly generatedPassword?: string
}

/** Throws an `Error` with a Portuguese text for invalid values. */
export async function ensureFirstAdmin(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'passwords' | 'settings'>,
  given: { readonly email?: string | undefined; readonly senha?: string | undefined },
): Promise<FirstAdmin> {
  const email = parseEmail(given.email ?? DEFAULT_EMAIL)
  if (given.senha !== undefined) requireUsablePassword(given.senha)
  if (await deps.db.transaction([], (tx) => hasAdmin(tx, {}))) return { created: false, email }

  if (given.senha !== undefined) await requireUncommon(given.senha, email)
  const generatedPassword = given.senha === undefined ? generatePassword() : undefined
  const senhaHash = await deps.passwords.hash(given.senha ?? generatedPassword ?? '')
  const created = await insertAdmin(deps, email, senhaHash)
  return created && generatedPassword !== undefined ? { created, email, generatedPassword } : { created, email }
}

async function insertAdmin(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'settings'>,
  email: string,
  senhaHash: string,
): Promise<boolean> {
  const contaId = deps.ids.uuid()
  return deps.db
    .transaction(contaId, async (tx) => {
      // Only one of several nodes that start together creates the administrator.
      await lockFirstAdmin(tx, {})
      if (await hasAdmin(tx, {})) return false
      const admin = { nome: 'Administrador', email, telefone: '', empresa: '' }
      await createConta(tx, deps, { ...admin, contaId, senhaHash, tipo: 'admin', status: 'ativo' })
      return true
    })
    .catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      throw new Error(`ADMIN_EMAIL: ${email} já pertence a um usuário que não é administrador.`)
    })
}

function parseEmail(raw: string): string {
  const parsed = emailSchema.safeParse(raw)
  if (!parsed.success) throw new Error('ADMIN_EMAIL não é um e-mail válido.')
  return parsed.data
}

function requireUsablePassword(password: string): void {
  if (password.length < SENHA_MINIMO || PLACEHOLDER_PASSWORDS.has(password.toLowerCase())) {
    throw new Error(`ADMIN_SENHA precisa de pelo menos ${SENHA_MINIMO} caracteres que ninguém adivinhe.`)
  }
}

/** Read only when the administrator is created, because the list takes memory. */
async function requireUncommon(password: string, email: string): Promise<void> {
  const owner = { nome: '', email, empresa: '', tipo: 'admin' as const, segundoFator: false }
  const weakness = await weaknessOf(password, owner, { politicaSenha: 'padrao', recusarComuns: true })
  if (weakness !== null) throw new Error(`ADMIN_SENHA: ${weakness}`)
}
