import * as z from 'zod/mini'
import { PLANOS } from '@balcao/contract/constants'
import type { EstatisticasUsuario, UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { toUsuario } from '#modules/auth/index.ts'
import { apagaEm, percentualUso } from './rules.ts'

export const usuarioComUsoSchema = z.object({
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
  componentesPermitidos: z.unknown(),
  setores: z.array(z.string()),
  semLimite: z.boolean(),
  mensagensHoje: z.number(),
  totalMes: z.number(),
  botConectado: z.boolean(),
  excluidaEm: z.nullable(z.date()),
})
export type UsuarioComUso = z.output<typeof usuarioComUsoSchema>

export const VIVOS = 'u.excluido_em is null and c.excluida_em is null'
export const EXCLUIDOS = 'u.volta_com_conta and c.excluida_em is not null'

/** Days and months are local to the conta. `agora` is the name of the SQL parameter for the current time. */
export const comUso = (quais: typeof VIVOS | typeof EXCLUIDOS, agora = '$1'): string => `
  select u.id, u.conta_id as "contaId", u.nome, u.email, u.telefone, u.tipo, u.status, u.setores,
         u.data_criacao as "dataCriacao", c.empresa, c.plano, c.limite_mensagens_dia as "limiteMensagensDia",
         c.componentes_permitidos as "componentesPermitidos", c.sem_limite as "semLimite",
         coalesce(uso.hoje, 0) as "mensagensHoje", coalesce(uso.mes, 0) as "totalMes",
         coalesce(b.status = 'CONECTADO', false) as "botConectado", c.excluida_em as "excluidaEm"
    from usuarios u
    join contas c on c.id = u.conta_id
    left join bots b on b.conta_id = c.id
    left join lateral (
      select sum(d.usadas) filter (where d.dia = local.dia) as hoje, sum(d.total) as mes
        from (select (${agora}::timestamptz at time zone c.fuso)::date as dia) local
        join uso_diario d on d.conta_id = c.id
         and d.dia between date_trunc('month', local.dia)::date and local.dia) uso on true
   where ${quais}`

/** Throws `naoEncontrado` for operadores, unknown ids and invalid ids. */
export async function getUsuarioAdmin(tx: Tx, agora: Date, id: string): Promise<UsuarioComUso> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const [lido] = await tx.rows(usuarioComUsoSchema, `${comUso(VIVOS)} and u.tipo <> 'operador' and u.id = $2`, [
    agora,
    id,
  ])
  if (lido === undefined) throw new AppError('naoEncontrado')
  return lido
}

export async function getUsuarioComUso(tx: Tx, agora: Date, contaId: string, id: string): Promise<UsuarioComUso> {
  const [lido] = await tx.rows(usuarioComUsoSchema, `${comUso(VIVOS)} and u.conta_id = $2 and u.id = $3`, [
    agora,
    contaId,
    id,
  ])
  if (lido === undefined) throw new AppError('naoEncontrado')
  return lido
}

export interface Alvo {
  readonly id: string
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly tipo: 'admin' | 'usuario' | 'operador'
  readonly status: 'pendente' | 'ativo' | 'inativo'
}

export async function lockAlvo(tx: Tx, id: string): Promise<Alvo> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const alvo = await tx.kysely
    .selectFrom('usuarios')
    .select(['id', 'contaId', 'nome', 'email', 'tipo', 'status'])
    .where('id', '=', id)
    .where('tipo', '<>', 'operador')
    .where('excluidoEm', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (alvo === undefined) throw new AppError('naoEncontrado')
  return alvo
}

/** Throws `ultimoAdmin` if no other active administrator exists. The caller must hold `lockAdmins`. */
export async function checkNotLastAdmin(tx: Tx, alvo: Alvo): Promise<void> {
  if (alvo.tipo !== 'admin' || alvo.status !== 'ativo') return
  const outro = await tx.kysely
    .selectFrom('usuarios')
    .select('id')
    .where('tipo', '=', 'admin')
    .where('status', '=', 'ativo')
    .where('excluidoEm', 'is', null)
    .where('id', '<>', alvo.id)
    .limit(1)
    .executeTakeFirst()
  if (outro === undefined) throw new AppError('ultimoAdmin')
}

export async function isReservado(tx: Tx, email: string): Promise<boolean> {
  const lido = await tx.kysely
    .selectFrom('usuarios')
    .select('id')
    .where('email', '=', email)
    .where('voltaComConta', '=', true)
    .executeTakeFirst()
  return lido !== undefined
}

/** Serialises changes of administrators. Call it before any row lock to prevent deadlocks. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('administradores', 0))")
}

/** Stored in the same transaction, so the node that runs the bot stops it even if this node crashes. */
export async function unwishBot(tx: Tx, contaId: string): Promise<void> {
  await tx.kysely
    .updateTable('bots')
    .set((eb) => ({ desejado: false, parada: eb.ref('epoca') }))
    .where('contaId', '=', contaId)
    .execute()
}

export function toUsuarioAdmin(lido: UsuarioComUso): UsuarioAdmin {
  return {
    ...toUsuario(lido),
    mensagensHoje: lido.mensagensHoje,
    percentualUso: percentualUso(lido),
    mensagemesTotalMes: lido.totalMes,
    botConectado: lido.botConectado,
    ...(lido.excluidaEm === null
      ? {}
      : { excluidoEm: lido.excluidaEm.toISOString(), apagaEm: apagaEm(lido.excluidaEm).toISOString() }),
  }
}

export function toEstatisticas(lido: UsuarioComUso): EstatisticasUsuario {
  const { mensagensHoje, semLimite, limiteMensagensDia, totalMes } = lido
  return {
    mensagensHoje,
    limiteDiario: semLimite ? null : limiteMensagensDia,
    percentualUso: percentualUso(lido),
    mensagemesTotalMes: totalMes,
    componentesPermitidos: toUsuario(lido).componentesPermitidos,
    estatisticas: { mensagensHoje },
  }
}

export function isUuid(id: string): boolean {
  return z.uuid().safeParse(id).success
}
