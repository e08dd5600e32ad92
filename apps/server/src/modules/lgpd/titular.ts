import { parsePhone } from '@balcao/contract/entities/telefone'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { type Announcements, parseAnnouncements } from '#modules/conversas/index.ts'

/** Data subject under the LGPD: a contato with all its addresses. */
export interface Titular {
  readonly id: string
  readonly nome: string
  readonly telefone: string
  /** Without `@`. Empty: unknown. */
  readonly nomeUsuario: string
  /** Names. */
  readonly etiquetas: readonly string[]
  readonly observacao: string
  readonly criadoEm: Date
  readonly ultimaAtividade: Date
  readonly memoria: unknown
  /** Canonical form, such as `tel:5511987654321`. */
  readonly enderecos: readonly string[]
  readonly trocas: Announcements
}

const titularSchema = z.object({
  id: z.string(),
  nome: z.string(),
  telefone: z.string(),
  nome_usuario: z.string(),
  etiquetas: z.array(z.string()),
  observacao: z.string(),
  criado_em: z.date(),
  ultima_atividade: z.date(),
  estado: z.unknown(),
  trocas: z.unknown(),
  endereco: z.string(),
  enderecos: z.array(z.string()),
})

const SELECT_TITULAR = `
select c.id, c.nome, c.telefone, c.nome_usuario, c.trocas, c.criado_em, c.ultima_atividade, c.estado, c.endereco, c.observacao,
  array(select e.nome from contatos_etiquetas t join etiquetas e on e.conta_id = t.conta_id and e.id = t.etiqueta_id
        where t.conta_id = c.conta_id and t.contato_id = c.id order by e.chave) as etiquetas,
  array(select e.endereco from enderecos e where e.conta_id = c.conta_id and e.contato_id = c.id order by e.endereco) as enderecos
from contatos c where c.conta_id = $1 and c.id = $2`

function toTitular({ endereco, enderecos, ...row }: z.output<typeof titularSchema>): Titular {
  const { id, nome, telefone, etiquetas, observacao } = row
  return {
    ...{ id, nome, telefone, etiquetas, observacao },
    nomeUsuario: row.nome_usuario,
    criadoEm: row.criado_em,
    ultimaAtividade: row.ultima_atividade,
    memoria: row.estado,
    enderecos: enderecos.length === 0 ? [endereco] : enderecos,
    trocas: parseAnnouncements(row.trocas),
  }
}

/**
 * Finds a customer by a typed phone number, with or without the ninth digit, by the address of the service, by the
 * user name with `@`, or by a protocol number. Throws `naoEncontrado`.
 */
export async function findTitular(tx: Tx, contaId: string, typed: string): Promise<Titular> {
  const phone = parsePhone(typed)
  for (const [sql, value] of lookupsOf(typed, phone)) {
    const [found] = await tx.rows(z.object({ contato_id: z.string() }), sql, [contaId, value])
    const titular = found === undefined ? null : await findTitularById(tx, contaId, found.contato_id)
    if (titular !== null) return titular
  }
  const named = phone === null ? 'com este nome de usuário ou protocolo' : 'com este número'
  throw new AppError('naoEncontrado', { erro: `Nenhum cliente ${named}. Nada dele está guardado aqui.` })
}

const BY_ADDRESS = 'select contato_id from enderecos where conta_id = $1 and endereco = $2'
const BY_USER_NAME = 'select id as contato_id from contatos where conta_id = $1 and nome_usuario = $2'
const BY_PROTOCOLO = 'select contato_id from conversas where conta_id = $1 and protocolo = $2'

/** Most certain first: the digits of a protocol number may also be a phone number. */
function lookupsOf(typed: string, phone: string | null): readonly (readonly [sql: string, value: string])[] {
  if (typed.startsWith('@')) return [[BY_USER_NAME, typed.slice(1).toLowerCase()]]
  return [
    [BY_ADDRESS, phone === null ? typed : `tel:${phone}`],
    [BY_PROTOCOLO, typed],
  ]
}

export async function findTitularById(tx: Tx, contaId: string, contatoId: string): Promise<Titular | null> {
  const [line] = await tx.rows(titularSchema, SELECT_TITULAR, [contaId, contatoId])
  return line === undefined ? null : toTitular(line)
}

export async function lockTitular(tx: Tx, contaId: string, contatoId: string): Promise<Titular | null> {
  await tx.query('select 1 from contatos where conta_id = $1 and id = $2 for update', [contaId, contatoId])
  return findTitularById(tx, contaId, contatoId)
}
