import { foldAccents } from '@balcao/contract/text/fold-accents'
import { SENHA_FORTE_MINIMO, SENHA_FORTE_MINIMO_SEGUNDO_FATOR } from '@balcao/contract/constants'
import type { AdminConfiguracoes } from '@balcao/contract/entities/admin'
import { AppError } from '#errors.ts'
import type { Tx } from '#db/transaction.ts'
import { getAdminSettings } from '#modules/auth/create-conta.ts'

/** Each list is loaded at the first new password that needs it, because most servers never do. */

const COMMONEST = 1_000
const WORD_LENGTH = 5

/** Frequent in Brazil and absent from the leaked lists, which are mostly in English. */
const BRAZILIAN = [
  'mudar123',
  'senha123',
  'senha1234',
  'senha12345',
  'brasil123',
  'familia123',
  'jesus123',
  'trocar123',
]

async function listLeaked(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return [...BRAZILIAN, ...dictionary['passwords-common'].map(String)]
}

let commonest: Promise<ReadonlySet<string>> | undefined
let all: Promise<ReadonlySet<string>> | undefined

function loadCommonest(): Promise<ReadonlySet<string>> {
  commonest ??= listLeaked().then((leaked) => new Set(leaked.slice(0, COMMONEST + BRAZILIAN.length)))
  return commonest
}

function loadGuessable(): Promise<ReadonlySet<string>> {
  all ??= readAll()
  return all
}

async function readAll(): Promise<ReadonlySet<string>> {
  const [leaked, { dictionary }] = await Promise.all([listLeaked(), import('@zxcvbn-ts/language-pt-br')])
  const words = [
    ...dictionary['commonWords-pt-br'],
    ...dictionary['wikipedia-pt-br'],
    ...dictionary['firstnames-pt-br'],
    ...dictionary['lastnames-pt-br'],
  ]
  return new Set([...leaked, ...words.filter((word) => word.length >= WORD_LENGTH).map(foldAccents)])
}

interface PasswordOwner {
  readonly nome: string
  readonly email: string
  readonly empresa: string
  readonly tipo: 'admin' | 'usuario' | 'operador'
  readonly segundoFator: boolean
}

type PasswordRule = Pick<AdminConfiguracoes, 'politicaSenha' | 'recusarComuns'>

const TOO_COMMON = 'Esta senha é muito comum e seria adivinhada. Escolha outra.'
const IS_EMAIL = 'A senha não pode ser o seu e-mail. Escolha outra.'
const IS_PERSONAL = 'A senha não pode ser o seu nome, o seu e-mail ou o nome da loja. Escolha outra.'

/** Throws `dadosInvalidos` with the reason. `field`: its path in the body. Old passwords stay as they are. */
export async function requireAcceptable(
  tx: Tx,
  password: string,
  owner: PasswordOwner,
  field: 'senha' | 'novaSenha' = 'senha',
): Promise<void> {
  const mensagem = await weaknessOf(password, owner, await getAdminSettings(tx))
  if (mensagem !== null)
    throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: field, mensagem }] })
}

/** Administrators may never have one of the commonest passwords. */
export async function weaknessOf(
  password: string,
  owner: PasswordOwner,
  { politicaSenha, recusarComuns }: PasswordRule,
): Promise<string | null> {
  const normal = foldAccents(password)
  switch (politicaSenha) {
    case 'padrao': {
      if (!recusarComuns && owner.tipo !== 'admin') return null
      if (normal === foldAccents(owner.email)) return IS_EMAIL
      return (await loadCommonest()).has(normal) ? TOO_COMMON : null
    }
    case 'forte': {
      const minimum = owner.segundoFator ? SENHA_FORTE_MINIMO_SEGUNDO_FATOR : SENHA_FORTE_MINIMO
      if ([...password].length < minimum) return `A senha precisa de pelo menos ${minimum} caracteres.`
      if (isPersonal(normal, owner)) return IS_PERSONAL
      return isGuessable(normal, await loadGuessable()) ? TOO_COMMON : null
    }
    default:
      return politicaSenha satisfies never
  }
}

/** A known password or word, also with digits and signs around it, and also written several times. */
function isGuessable(normal: string, known: ReadonlySet<string>): boolean {
  const core = normal.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const [, repeated = ''] = /^(.{2,}?)\1+$/.exec(core === '' ? normal : core) ?? []
  return known.has(normal) || known.has(core) || known.has(repeated) || /^(.)\1*$/.test(normal)
}

/** Characters that must be left when name, e-mail and shop are taken out. */
const OWN_PART = 8
const PART_LENGTH = 3

function isPersonal(normal: string, { nome, email, empresa }: PasswordOwner): boolean {
  const known = [nome, email, empresa, email.split('@')[0] ?? '', ...`${nome} ${empresa} ${email}`.split(/[\s@.,;_-]+/)]
  const parts = known
    .map((part) => foldAccents(part))
    .filter((part) => part.length >= PART_LENGTH)
    .toSorted((a, b) => b.length - a.length)
  let left = normal
  for (const part of parts) left = left.replaceAll(part, '').replaceAll(part.replaceAll(/\s/g, ''), '')
  return left !== normal && left.replaceAll(/[^a-z0-9]/g, '').length < OWN_PART
}
