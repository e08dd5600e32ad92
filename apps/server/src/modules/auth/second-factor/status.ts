import {
  type MetodoSegundoFator,
  metodoSegundoFatorSchema,
  type SegurancaUsuario,
  segurancaUsuarioSchema,
} from '@balcao/contract/entities/segundo-fator'
import * as z from 'zod/mini'
import { sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'

const hasPasskey = sql`exists (select from passkeys p where p.usuario_id = u.id)`

export const withSecondFactor = sql`(u.totp_segredo is not null or ${hasPasskey})`

/**
 * A passkey of another address of the panel counts. `exige_fator`: the owner or the administrator demands a second
 * factor.
 */
export const secondFactorColumns = sql`u.totp_segredo is not null as tem_totp, ${hasPasskey} as tem_passkey,
  (c.exigir_segundo_fator = 'todos' or (c.exigir_segundo_fator = 'donos' and u.tipo <> 'operador')
    or (u.tipo = 'admin' and (select exigir_segundo_fator_admin from configuracoes_admin))) as exige_fator`

export const secondFactorFields = { temTotp: z.boolean(), temPasskey: z.boolean(), exigeFator: z.boolean() }

const usuarioId = value('usuarioId', 'uuid')

const findStatus = oneRow(
  'auth: find second factors',
  segurancaUsuarioSchema,
  sql`select f.tem_totp as totp, f.exige_fator as exigido,
        (select count(*) from passkeys where usuario_id = ${usuarioId}) as passkeys,
        (select count(*) from codigos_recuperacao where usuario_id = ${usuarioId} and usado_em is null) as recuperacao
      from (select ${secondFactorColumns} from usuarios u join contas c on c.id = u.conta_id where u.id = ${usuarioId}) f`,
)

export async function readSecondFactors(tx: Tx, usuarioId: string): Promise<SegurancaUsuario> {
  const status = await findStatus(tx, { usuarioId })
  if (status === null) throw new AppError('semSessao')
  return status
}

const findMethods = oneRow(
  'auth: find methods',
  z.object({ totp: z.boolean(), passkey: z.boolean(), recuperacao: z.boolean() }),
  sql`select totp_segredo is not null as totp,
        exists (select from passkeys p where p.usuario_id = u.id and p.rp_id = ${value('rpId', 'text')}) as passkey,
        exists (select from codigos_recuperacao r where r.usuario_id = u.id and r.usado_em is null) as recuperacao
      from usuarios u where u.id = ${usuarioId}`,
)

export async function listMethods(tx: Tx, usuarioId: string, rpId: string): Promise<MetodoSegundoFator[]> {
  const has = await findMethods(tx, { usuarioId, rpId })
  return metodoSegundoFatorSchema.options.filter((metodo) => has?.[metodo] === true)
}
