import * as z from 'zod/mini'
import { CONNECTORS } from '@balcao/contract/connectors'
import { CONECTORES } from '@balcao/contract/constants'
import { planoSchema, type Recursos, type UsuarioAdmin, type UsuarioStats } from '@balcao/contract/entities/usuario'
import { joinMainSession } from '#db/statement/line.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { withSecondFactor, toUsuario, usuarioColumns, usuarioRowSchema } from '#modules/auth/index.ts'
import { connectionNameOf } from '#modules/contas/index.ts'
import { erasedAt, usoPercent } from './rules.ts'

export const usuarioWithUsoSchema = z.extend(usuarioRowSchema, {
  semLimite: z.boolean(),
  mensagensHoje: z.number(),
  totalMes: z.number(),
  botConectado: z.boolean(),
  conector: z.nullable(z.enum(CONECTORES)),
  conexao: z.nullable(z.string()),
  iaPermitida: z.boolean(),
  limiteLinhas: z.int(),
  opcoesMenuMaximo: z.nullable(z.number()),
  planoDesejado: z.nullable(planoSchema),
  excluidaEm: z.nullable(z.date()),
  segundoFator: z.boolean(),
})
export type UsuarioWithUso = z.output<typeof usuarioWithUsoSchema>

export const LIVE_SCOPE = sql`u.excluido_em is null and c.excluida_em is null`
export const DELETED_SCOPE = sql`u.volta_com_conta and c.excluida_em is not null`

export const now = value('now', 'timestamptz')
const id = value('id', 'uuid')

export const usuarioWithUso = sql`
  select ${usuarioColumns}, c.sem_limite, c.ia_permitida, c.limite_linhas, c.opcoes_menu_maximo, c.plano_desejado,
         coalesce(uso.hoje, 0) as mensagens_hoje, coalesce(uso.mes, 0) as total_mes,
         ${connectionNameOf(rawSql('c.id'))} as conexao, coalesce(b.status = 'CONECTADO', false) as bot_conectado,
         b.conector,
         c.excluida_em, ${withSecondFactor} as segundo_fator
    from usuarios u
    join contas c on c.id = u.conta_id
    ${joinMainSession}
    left join lateral (
      select sum(d.usadas) filter (where d.dia = local.dia) as hoje, sum(d.total) as mes
        from (select (${now} at time zone c.fuso)::date as dia) local
        join uso_diario d on d.conta_id = c.id
         and d.dia between date_trunc('month', local.dia)::date and local.dia) uso on true
   where`

const findLive = oneRow(
  'usuarios: find',
  usuarioWithUsoSchema,
  sql`${usuarioWithUso} ${LIVE_SCOPE} and u.tipo <> 'operador' and u.id = ${id}`,
)

const findOfConta = oneRow(
  'usuarios: find of conta',
  usuarioWithUsoSchema,
  sql`${usuarioWithUso} ${LIVE_SCOPE} and u.conta_id = ${contaId} and u.id = ${id}`,
)

/** Throws `naoEncontrado` for operadores, unknown ids and invalid ids. */
export async function getUsuarioAdmin(tx: Tx, now: Date, id: string): Promise<UsuarioWithUso> {
  const found = isUuid(id) ? await findLive(tx, { now, id }) : null
  if (found === null) throw new AppError('naoEncontrado')
  return found
}

export async function getUsuarioWithUso(tx: Tx, now: Date, contaId: string, id: string): Promise<UsuarioWithUso> {
  const found = await findOfConta(tx, { now, contaId, id })
  if (found === null) throw new AppError('naoEncontrado')
  return found
}

const refSchema = z.pick(usuarioRowSchema, {
  id: true,
  contaId: true,
  nome: true,
  email: true,
  tipo: true,
  status: true,
})
export type UsuarioRef = z.output<typeof refSchema>

const lockLive = oneRow(
  'usuarios: lock',
  refSchema,
  sql`select id, conta_id, nome, email, tipo, status from usuarios
      where id = ${id} and tipo <> 'operador' and excluido_em is null for no key update`,
)

export async function lockUsuario(tx: Tx, id: string): Promise<UsuarioRef> {
  const target = isUuid(id) ? await lockLive(tx, { id }) : null
  if (target === null) throw new AppError('naoEncontrado')
  return target
}

const hasOtherAdmin = oneValue(
  'usuarios: has other admin',
  z.boolean(),
  sql`select exists (
        select from usuarios where tipo = 'admin' and status = 'ativo' and excluido_em is null and id <> ${id}) as value`,
)

/** Throws `ultimoAdmin` if no other active administrator exists. The caller must hold `lockAdmins`. */
export async function requireNotLastAdmin(tx: Tx, { id, tipo, status }: UsuarioRef): Promise<void> {
  if (tipo !== 'admin' || status !== 'ativo') return
  if (!(await hasOtherAdmin(tx, { id }))) throw new AppError('ultimoAdmin')
}

export const isEmailReserved = oneValue(
  'usuarios: is email reserved',
  z.boolean(),
  sql`select exists (select from usuarios where email = ${value('email', 'text')} and volta_com_conta) as value`,
)

/** Serialises changes of administrators. Call it before any row lock to prevent deadlocks. */
export const lockAdmins = noRows(
  'usuarios: lock admins',
  sql`select pg_advisory_xact_lock(hashtextextended('administradores', 0))`,
)

export function toUsuarioAdmin(row: UsuarioWithUso): UsuarioAdmin {
  return {
    ...toUsuario(row),
    mensagensHoje: row.mensagensHoje,
    percentualUso: usoPercent(row),
    mensagemesTotalMes: row.totalMes,
    botConectado: row.botConectado,
    modoTeste: row.botConectado && row.conector !== null && CONNECTORS[row.conector].pairing === 'simulated',
    conexao: row.conexao ?? '',
    recursos: limitsOf(row),
    limiteLinhas: row.limiteLinhas,
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
