import { randomBytes } from 'node:crypto'
import { SENHA_MINIMO } from '@balcao/contract/constants'
import { emailSchema } from '@balcao/contract/entities/comum'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { hashSenha } from '#security/senha.ts'
import { criarConta } from './criar-conta.ts'

const EMAIL_PADRAO = 'admin@balcao.local'

/** Placeholder passwords from examples and templates. */
const INGENUAS = new Set([
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

export interface PrimeiroAdmin {
  readonly criado: boolean
  readonly email: string
  /** Generated password, shown once and not stored. */
  readonly senhaGerada?: string
}

/**
 * Creates the first administrator if none exists, from the environment or with a random password. Throws an `Error`
 * with a Portuguese text for invalid values.
 */
export async function ensureFirstAdmin(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'settings'>,
  dados: { readonly email?: string | undefined; readonly senha?: string | undefined },
): Promise<PrimeiroAdmin> {
  const email = parseEmail(dados.email ?? EMAIL_PADRAO)
  if (dados.senha !== undefined) checkSenhaDoAmbiente(dados.senha)
  if (await hasAdmin(deps)) return { criado: false, email }

  const senhaGerada = dados.senha === undefined ? randomBytes(15).toString('base64url') : undefined
  const senhaHash = await hashSenha(dados.senha ?? senhaGerada ?? '')
  const criado = await insertAdmin(deps, email, senhaHash)
  return criado && senhaGerada !== undefined ? { criado, email, senhaGerada } : { criado, email }
}

async function insertAdmin(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'settings'>,
  email: string,
  senhaHash: string,
): Promise<boolean> {
  const contaId = deps.ids.uuid()
  return deps.db
    .transaction(contaId, async (tx) => {
      // Only one of several nodes that start together creates the administrator.
      await tx.query("select pg_advisory_xact_lock(hashtextextended('primeiro-admin', 0))")
      const { rows } = await tx.query("select 1 from usuarios where tipo = 'admin' and excluido_em is null limit 1")
      if (rows.length > 0) return false
      const admin = { nome: 'Administrador', email, telefone: '', empresa: '' }
      await criarConta(tx, deps, { ...admin, contaId, senhaHash, tipo: 'admin', status: 'ativo' })
      return true
    })
    .catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      throw new Error(`ADMIN_EMAIL: ${email} já pertence a um usuário que não é administrador.`)
    })
}

async function hasAdmin({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  const { rows } = await db.transaction([], (tx) =>
    tx.query("select 1 from usuarios where tipo = 'admin' and excluido_em is null limit 1"),
  )
  return rows.length > 0
}

function parseEmail(bruto: string): string {
  const lido = emailSchema.safeParse(bruto)
  if (!lido.success) throw new Error('ADMIN_EMAIL não é um e-mail válido.')
  return lido.data
}

function checkSenhaDoAmbiente(senha: string): void {
  if (senha.length < SENHA_MINIMO || INGENUAS.has(senha.toLowerCase())) {
    throw new Error(`ADMIN_SENHA precisa de pelo menos ${SENHA_MINIMO} caracteres que ninguém adivinhe.`)
  }
}
