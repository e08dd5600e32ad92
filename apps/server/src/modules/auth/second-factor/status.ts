import type { SegurancaUsuario } from '@balcao/contract/entities/identidade'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'

/** Columns of the second factors of the usuario `u` of the conta `c`, for the statements that read a person. */
export const SECOND_FACTOR_COLUMNS = `u.totp_segredo is not null as "temTotp",
  exists (select from passkeys p where p.usuario_id = u.id) as "temPasskey",
  (c.exigir_segundo_fator = 'todos' or (c.exigir_segundo_fator = 'donos' and u.tipo <> 'operador')
    or (u.tipo = 'admin' and (select exigir_segundo_fator_admin from configuracoes_admin))) as "exigeFator"`

/** True if the usuario `u` has a second factor. */
export const HAS_SECOND_FACTOR_SQL = `(u.totp_segredo is not null or exists (
  select from passkeys p where p.usuario_id = u.id))`

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
