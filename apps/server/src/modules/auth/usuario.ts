import * as z from 'zod/mini'
import { COMPONENTES } from '@balcao/contract/constants'
import {
  componentesPermitidosSchema,
  planoSchema,
  statusUsuarioSchema,
  tipoUsuarioSchema,
  type Usuario,
} from '@balcao/contract/entities/usuario'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { secondFactorColumns, secondFactorFields } from './second-factor/status.ts'

export const usuarioColumns = sql`u.id, u.conta_id, u.nome, u.email, u.telefone, u.tipo, u.status, u.data_criacao, u.setores, u.linhas,
  c.empresa, c.plano, c.limite_mensagens_dia, c.componentes_permitidos`

export const usuarioRowSchema = z.object({
  id: z.string(),
  contaId: z.string(),
  nome: z.string(),
  email: z.string(),
  telefone: z.string(),
  tipo: tipoUsuarioSchema,
  status: statusUsuarioSchema,
  dataCriacao: z.date(),
  setores: z.array(z.string()),
  linhas: z.array(z.string()),
  empresa: z.string(),
  plano: planoSchema,
  limiteMensagensDia: z.int(),
  componentesPermitidos: componentesPermitidosSchema,
})
export type UsuarioRow = z.output<typeof usuarioRowSchema>

/** An operador has no component except `atendimentoHumano`. */
export function toUsuario(row: UsuarioRow): Usuario {
  const componentes = { ...row.componentesPermitidos }
  if (row.tipo === 'operador') {
    for (const componente of COMPONENTES) if (componente !== 'atendimentoHumano') componentes[componente] = false
  }
  return {
    id: row.id,
    contaId: row.contaId,
    nome: row.nome,
    email: row.email,
    telefone: row.telefone,
    empresa: row.empresa,
    tipo: row.tipo,
    plano: row.plano,
    status: row.status,
    ativo: row.status === 'ativo',
    dataCriacao: row.dataCriacao.toISOString(),
    limiteMensagensDia: row.limiteMensagensDia,
    componentesPermitidos: componentes,
    ...(row.tipo === 'operador' ? { setores: [...row.setores], linhas: [...row.linhas] } : {}),
  }
}

type UsuarioKey = { readonly email: string } | { readonly id: string }

const identitySchema = z.extend(usuarioRowSchema, {
  ...secondFactorFields,
  /** Null: invited, no password set yet. */
  senhaHash: z.nullable(z.string()),
  /** Sealed, as `totpPendente`. */
  totpSegredo: z.nullable(z.string()),
  totpPendente: z.nullable(z.string()),
})

export type Identity = z.output<typeof identitySchema>

export function hasSecondFactor({ temTotp, temPasskey }: Pick<Identity, 'temTotp' | 'temPasskey'>): boolean {
  return temTotp || temPasskey
}

const identity = sql`select ${usuarioColumns}, ${secondFactorColumns}, u.senha_hash, u.totp_segredo, u.totp_pendente
  from usuarios u join contas c on c.id = u.conta_id
  where u.excluido_em is null and c.excluida_em is null
    and (${value('email', 'text?')} is null or u.email = ${value('email', 'text?')})
    and (${value('id', 'uuid?')} is null or u.id = ${value('id', 'uuid?')})`
const findIdentity = oneRow('auth: find usuario', identitySchema, identity)
const lockIdentity = oneRow('auth: lock usuario', identitySchema, sql`${identity} for no key update of u`)

export async function findUsuario(
  tx: Tx,
  key: UsuarioKey,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Identity | null> {
  return (lock ? lockIdentity : findIdentity)(tx, { email: null, id: null, ...key })
}

export const isContaActive = oneValue(
  'auth: is conta active',
  z.boolean(),
  sql`select exists (
        select from usuarios u join contas c on c.id = u.conta_id
        where u.conta_id = ${contaId} and u.tipo <> 'operador' and u.status = 'ativo' and u.excluido_em is null
          and c.mudanca is null) as value`,
)
