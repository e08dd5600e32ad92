import * as z from 'zod/mini'
import { changes, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'

interface NewUsuarioRow {
  readonly id: string
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly telefone?: string
  readonly tipo: 'admin' | 'usuario' | 'operador'
  readonly status: 'pendente' | 'ativo'
  /** Without a hash, login is impossible until a password is chosen. */
  readonly senhaHash: string | null
  readonly setores?: readonly string[]
  readonly linhas?: readonly string[]
  readonly em: Date
}

const theOne = sql`id = ${value('id', 'uuid')}`

const insertIfFree = noRows(
  'contas: insert usuario',
  sql`insert into usuarios (id, conta_id, nome, email, telefone, tipo, status, senha_hash, setores, linhas, data_criacao)
      values (${value('id', 'uuid')}, ${contaId}, ${value('nome', 'text')}, ${value('email', 'text')},
        ${value('telefone', 'text')}, ${value('tipo', 'text')}, ${value('status', 'text')}, ${value('senhaHash', 'text?')},
        ${value('setores', 'jsonb')}, ${value('linhas', 'jsonb')}, ${value('em', 'timestamptz')})
      on conflict (email) where excluido_em is null do nothing`,
)

/** Throws `emailJaCadastrado`. The unique index decides between two concurrent inserts of one address. */
export async function insertUsuario(tx: Tx, usuario: NewUsuarioRow): Promise<void> {
  const inserted = await insertIfFree(tx, { telefone: '', setores: [], linhas: [], ...usuario })
  if (inserted !== 1) throw new AppError('emailJaCadastrado')
}

export const updateUsuario = noRows(
  'contas: update usuario',
  sql`update usuarios set ${changes('fields', {
    status: 'text',
    senhaHash: 'text',
    totpSegredo: 'text?',
    totpPendente: 'text?',
    totpPasso: 'bigint?',
  })} where ${theOne}`,
)

export const updateOwnData = noRows(
  'contas: update own data',
  sql`update usuarios set ${changes('fields', { nome: 'text', telefone: 'text' })} where ${theOne}`,
)

/** Fails with a violation of `usuarios_email` if the address is taken. */
export const updateOperador = noRows(
  'contas: update operador',
  sql`update usuarios set ${changes('fields', {
    nome: 'text',
    email: 'text',
    setores: 'jsonb',
    linhas: 'jsonb',
    status: 'text',
    excluidoEm: 'timestamptz',
  })} where conta_id = ${contaId} and ${theOne}`,
)

/** Returns 0 if this code, or a later one, was used before. */
export const spendTotpStep = noRows(
  'contas: spend totp step',
  sql`update usuarios set totp_passo = ${value('step', 'bigint')}
      where ${theOne} and (totp_passo is null or totp_passo < ${value('step', 'bigint')})`,
)

const REMOVED_BATCH = 1_000

/** One batch. Conversas keep the name as text. */
export const clearRemovedOperadores = noRows(
  'contas: clear removed operadores',
  sql`update usuarios set nome = 'Pessoa removida', email = '', telefone = '' where id = any (array(
        select id from usuarios where conta_id = ${contaId} and tipo = 'operador'
          and excluido_em < ${value('em', 'timestamptz')} and email <> '' and not volta_com_conta
        limit ${rawSql(String(REMOVED_BATCH))}))`,
)

const moveToSetor = manyRows(
  'contas: replace setores',
  z.object({ id: z.string() }),
  sql`update usuarios u set setores = (
        select jsonb_agg(distinct case when s = any (${value('setores', 'text[]')}) then ${value('target', 'text')} else s end)
        from jsonb_array_elements_text(u.setores) s)
      where u.conta_id = ${contaId} and u.tipo = 'operador' and u.excluido_em is null
        and u.setores ?| ${value('setores', 'text[]')} returning u.id`,
)

export async function replaceSetores(
  tx: Tx,
  contaId: string,
  setores: readonly string[],
  target: string,
): Promise<string[]> {
  if (setores.length === 0) return []
  return (await moveToSetor(tx, { contaId, setores, target })).map(({ id }) => id)
}

/** No line has this id. An operador whose last line is deleted serves none until the owner chooses. */
const NO_LINE = '00000000-0000-0000-0000-000000000000'

/** Operadores who served the deleted line among others lose it. */
export const removeLineOfOperadores = manyRows(
  'contas: remove line of operadores',
  z.object({ id: z.string() }),
  sql`update usuarios u set linhas = case when u.linhas = jsonb_build_array(${value('linhaId', 'text')})
          then jsonb_build_array('${rawSql(NO_LINE)}') else u.linhas - ${value('linhaId', 'text')} end
      where u.conta_id = ${contaId} and u.linhas ? ${value('linhaId', 'text')} returning u.id`,
)

const listNames = manyRows(
  'contas: list names',
  z.object({ id: z.string(), nome: z.string() }),
  sql`select id, nome from usuarios where conta_id = ${contaId} and id = any (${value('ids', 'uuid[]')})`,
)

export async function listUsuarioNames(
  tx: Tx,
  contaId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = ids.length === 0 ? [] : await listNames(tx, { contaId, ids })
  return new Map(rows.map(({ id, nome }) => [id, nome]))
}
