import {
  type MetodoSegundoFator,
  metodoSegundoFatorSchema,
  type SegurancaUsuario,
} from '@balcao/contract/entities/segundo-fator'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'

/** True if the usuario `u` has a passkey, also one of another address of the panel. */
export const hasPasskeySql = (u: string): string => `exists (select from passkeys p where p.usuario_id = ${u}.id)`

/** True if the owner or the administrator demands a second factor of the usuario `u` of the conta `c`. */
export const demandSql = (u: string, c: string): string => `(${c}.exigir_segundo_fator = 'todos'
  or (${c}.exigir_segundo_fator = 'donos' and ${u}.tipo <> 'operador')
  or (${u}.tipo = 'admin' and (select exigir_segundo_fator_admin from configuracoes_admin)))`

/** True if the usuario `u` has a second factor. */
export const HAS_SECOND_FACTOR_SQL = `(u.totp_segredo is not null or ${hasPasskeySql('u')})`

/** Columns about the usuario `u` of the conta `c`, for the statements that read a person. */
export const SECOND_FACTOR_COLUMNS = `u.totp_segredo is not null as "temTotp", ${hasPasskeySql('u')} as "temPasskey",
  ${demandSql('u', 'c')} as "exigeFator"`

export const secondFactorColumns = { temTotp: z.boolean(), temPasskey: z.boolean(), exigeFator: z.boolean() }

const statusSchema = z.object({ totp: z.boolean(), passkeys: z.int(), recuperacao: z.int(), exigido: z.boolean() })

export async function readSecondFactors(tx: Tx, usuarioId: string): Promise<SegurancaUsuario> {
  const [status] = await tx.rows(
    statusSchema,
    `select f."temTotp" as totp, f."exigeFator" as exigido,
            (select count(*) from passkeys where usuario_id = $1) as passkeys,
            (select count(*) from codigos_recuperacao where usuario_id = $1 and usado_em is null) as recuperacao
       from (select ${SECOND_FACTOR_COLUMNS} from usuarios u join contas c on c.id = u.conta_id where u.id = $1) f`,
    [usuarioId],
  )
  if (status === undefined) throw new AppError('semSessao')
  return status
}

const methodsSchema = z.object({ totp: z.boolean(), passkey: z.boolean(), recuperacao: z.boolean() })

/** The second factors that the person can use at this address of the panel. */
export async function listMethods(tx: Tx, usuarioId: string, rpId: string): Promise<MetodoSegundoFator[]> {
  const [has] = await tx.rows(
    methodsSchema,
    `select totp_segredo is not null as totp,
            exists (select from passkeys p where p.usuario_id = u.id and p.rp_id = $2) as passkey,
            exists (select from codigos_recuperacao r where r.usuario_id = u.id and r.usado_em is null) as recuperacao
       from usuarios u where u.id = $1`,
    [usuarioId, rpId],
  )
  return metodoSegundoFatorSchema.options.filter((metodo) => has?.[metodo] === true)
}
