import * as z from 'zod/mini'
import { instant } from '#db/statement/fields.ts'
import { sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'

export const PASSKEYS_MAX = 20

const passkeySchema = z.object({
  id: z.string(),
  usuarioId: z.string(),
  chave: z.pipe(
    z.instanceof(Buffer),
    z.transform((bytes) => new Uint8Array(bytes)),
  ),
  contador: z.int(),
})

const usuarioId = value('usuarioId', 'uuid')
const id = value('id', 'uuid')
const credencial = value('credencial', 'bytea')
const contador = value('contador', 'bigint')

export const findPasskey = oneRow(
  'auth: find passkey',
  passkeySchema,
  sql`select id, usuario_id, chave, contador from passkeys
      where credencial = ${credencial} and rp_id = ${value('rpId', 'text')}`,
)

const listedSchema = z.object({
  id: z.string(),
  nome: z.string(),
  criadaEm: instant,
  ultimoUso: z.nullable(instant),
  credencial: z.pipe(
    z.instanceof(Buffer),
    z.transform((bytes) => bytes.toString('base64url')),
  ),
  transportes: z.array(z.string()),
})

export const listPasskeys = manyRows(
  'auth: list passkeys',
  listedSchema,
  sql`select id, nome, criada_em, ultimo_uso, credencial, transportes from passkeys
      where usuario_id = ${usuarioId} order by criada_em desc`,
)

export const insertPasskey = noRows(
  'auth: insert passkey',
  sql`insert into passkeys (id, usuario_id, credencial, chave, contador, transportes, rp_id, nome, criada_em)
      values (${id}, ${usuarioId}, ${credencial}, ${value('chave', 'bytea')}, ${contador},
        ${value('transportes', 'text[]')}, ${value('rpId', 'text')}, ${value('nome', 'text')},
        ${value('criadaEm', 'timestamptz')})
      on conflict (credencial) do nothing`,
)

/** Returns 0 if a parallel use stored the same or a higher counter. */
export const recordPasskeyUse = noRows(
  'auth: record passkey use',
  sql`update passkeys set contador = ${contador}, ultimo_uso = ${value('at', 'timestamptz')}
      where id = ${id} and (contador < ${contador} or (contador = 0 and ${contador} = 0))`,
)

export const deletePasskey = noRows(
  'auth: delete passkey',
  sql`delete from passkeys where usuario_id = ${usuarioId} and id = ${id}`,
)

export const deletePasskeys = noRows('auth: delete passkeys', sql`delete from passkeys where usuario_id = ${usuarioId}`)
