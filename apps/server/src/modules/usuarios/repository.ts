import * as z from 'zod/mini'
import { PLANOS } from '@balcao/contract/constants'
import {
  componentesPermitidosSchema,
  type Recursos,
  type UsuarioAdmin,
  type UsuarioStats,
} from '@balcao/contract/entities/usuario'
import { compileSql, rawSql } from '#db/statement/sql.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { HAS_SECOND_FACTOR_SQL, toUsuario } from '#modules/auth/index.ts'
import { connectionNameOf } from '#modules/contas/index.ts'
import { erasedAt, usoPercent } from './rules.ts'

export const usuarioWithUsoSchema = z.object({
  id: z.string(),
  contaId: z.string(),
  nome: z.string(),
  email: z.string(),
  telefone: z.string(),
  tipo: z.enum(['admin', 'usuario', 'operador']),
  status: z.enum(['pendente', 'ativo', 'inativo']),
  dataCriacao: z.date(),
  empresa: z.string(),
  plano: z.enum(PLANOS),
  limiteMensagensDia: z.number(),
  componentesPermitidos: componentesPermitidosSchema,
  setores: z.array(z.string()),
  semLimite: z.boolean(),
  mensagensHoje: z.number(),
  totalMes: z.number(),
  botConectado: z.boolean(),
  conexao: z.nullable(z.string()),
  iaPermitida: z.boolean(),
  opcoesMenuMaximo: z.nullable(z.number()),
  planoDesejado: z.nullable(z.enum(PLANOS)),
  excluidaEm: z.nullable(z.date()),
  segundoFator: z.boolean(),
})
export type UsuarioWithUso = z.output<typeof usuarioWithUsoSchema>

export const LIVE_SCOPE = 'u.excluido_em is null and c.excluida_em is null'
export const DELETED_SCOPE = 'u.volta_com_conta and c.excluida_em is not null'

/** Days and months are local to the conta. `agora` is the name of the SQL parameter for the current time. */
export const selectWithUso = (scope: typeof LIVE_SCOPE | typeof DELETED_SCOPE, nowParam = '$1'): string => `
  select u.id, u.conta_id as "contaId", u.nome, u.email, u.telefone, u.tipo, u.status, u.setores,
         u.data_criacao as "dataCriacao", c.empresa, c.plano, c.limite_mensagens_dia as "limiteMensagensDia",
         c.componentes_permitidos as "componentesPermitidos", c.sem_limite as "semLimite",
         c.ia_permitida as "iaPermitida", c.opcoes_menu_maximo as "opcoesMenuMaximo", c.plano_desejado as "planoDesejado",
         coalesce(uso.hoje, 0) as "mensagensHoje", coalesce(uso.mes, 0) as "totalMes",
         ${compileSql(connectionNameOf(rawSql('c.id'))).text} as conexao,
         coalesce(b.status = 'CONECTADO', false) as "botConectado", c.excluida_em as "excluidaEm",
         ${HAS_SECOND_FACTOR_SQL} as "segundoFator"
    from usuarios u
    join contas c on c.id = u.conta_id
    left join bots b on b.conta_id = c.id
    left join lateral (
      select sum(d.usadas) filter (where d.dia = local.dia) as hoje, sum(d.total) as mes
        from (select (${nowParam}::timestamptz at time zone c.fuso)::date as dia) local
        join uso_diario d on d.conta_id = c.id
         and d.dia between date_trunc('month', local.dia)::date and local.dia) uso on true
   where ${scope}`

/** Throws `naoEncontrado` for operadores, unknown ids and invalid ids. */
export async function getUsuarioAdmin(tx: Tx, now: Date, id: string): Promise<UsuarioWithUso> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const [parsed] = await tx.rows(
    usuarioWithUsoSchema,
    `${selectWithUso(LIVE_SCOPE)} and u.tipo <> 'operador' and u.id = $2`,
    [now, id],
  )
  if (parsed === undefined) throw new AppError('naoEncontrado')
  return parsed
}

export async function getUsuarioWithUso(tx: Tx, now: Date, contaId: string, id: string): Promise<UsuarioWithUso> {
  const [parsed] = await tx.rows(
    usuarioWithUsoSchema,
    `${selectWithUso(LIVE_SCOPE)} and u.conta_id = $2 and u.id = $3`,
    [now, contaId, id],
  )
  if (parsed === undefined) throw new AppError('naoEncontrado')
  return parsed
}

export interface UsuarioRef {
  readonly id: string
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly tipo: 'admin' | 'usuario' | 'operador'
  readonly status: 'pendente' | 'ativo' | 'inativo'
}

export async function lockUsuario(tx: Tx, id: string): Promise<UsuarioRef> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const target = await tx.kysely
    .selectFrom('usuarios')
    .select(['id', 'contaId', 'nome', 'email', 'tipo', 'status'])
    .where('id', '=', id)
    .where('tipo', '<>', 'operador')
    .where('excluidoEm', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (target === undefined) throw new AppError('naoEncontrado')
  return target
}

/** Throws `ultimoAdmin` if no other active administrator exists. The caller must hold `lockAdmins`. */
export async function requireNotLastAdmin(tx: Tx, ref: UsuarioRef): Promise<void> {
  if (ref.tipo !== 'admin' || ref.status !== 'ativo') return
  const other = await tx.kysely
    .selectFrom('usuarios')
    .select('id')
    .where('tipo', '=', 'admin')
    .where('status', '=', 'ativo')
    .where('excluidoEm', 'is', null)
    .where('id', '<>', ref.id)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) throw new AppError('ultimoAdmin')
}

export async function isEmailReserved(tx: Tx, email: string): Promise<boolean> {
  const parsed = await tx.kysely
    .selectFrom('usuarios')
    .select('id')
    .where('email', '=', email)
    .where('voltaComConta', '=', true)
    .executeTakeFirst()
  return parsed !== undefined
}

/** Serialises changes of administrators. Call it before any row lock to prevent deadlocks. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('administradores', 0))")
}

export function toUsuarioAdmin(row: UsuarioWithUso): UsuarioAdmin {
  return {
    ...toUsuario(row),
    mensagensHoje: row.mensagensHoje,
    percentualUso: usoPercent(row),
    mensagemesTotalMes: row.totalMes,
    botConectado: row.botConectado,
    conexao: row.conexao ?? '',
    recursos: limitsOf(row),
    segundoFator: row.segundoFator,
    ...(row.planoDesejado === null ? {} : { planoDesejado: row.planoDesejado }),
    ...(row.excluidaEm === null
      ? {}
      : { excluidoEm: row.excluidaEm.toISOString(), apagaEm: erasedAt(row.excluidaEm).toISOString() }),
  }
}

export function limitsOf({ iaPermitida, opcoesMenuMaximo }: UsuarioWithUso): Recursos {
  return { iaPermitida, opcoesMenuMaximo }
}

export function toUsuarioStats(row: UsuarioWithUso): UsuarioStats {
  const { mensagensHoje, semLimite, limiteMensagensDia, totalMes } = row
  return {
    mensagensHoje,
    limiteDiario: semLimite ? null : limiteMensagensDia,
    percentualUso: usoPercent(row),
    mensagemesTotalMes: totalMes,
    componentesPermitidos: toUsuario(row).componentesPermitidos,
    estatisticas: { mensagensHoje },
  }
}
