import * as z from 'zod/mini'
import type { StatusUsuario, UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { OrdemUsuarios } from '@balcao/contract/administracao'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'
import { comUso, EXCLUIDOS, toUsuarioAdmin, usuarioComUsoSchema, VIVOS } from './repository.ts'
import { semAcentos } from './rules.ts'

export interface FiltroUsuarios {
  readonly busca: string
  readonly status: StatusUsuario | 'excluido' | null
}

export type PaginaUsuarios =
  | {
      readonly ordem: OrdemUsuarios
      readonly direcao: 'asc' | 'desc'
      readonly pagina: number
      readonly limite: number
    }
  | Page

/** Lower case without accents in SQL, independent of the collation. */
const sem = (texto: string): string =>
  `translate(lower(${texto}), 'áàâãäÁÀÂÃÄéèêëÉÈÊËíìîïÍÌÎÏóòôõöÓÒÔÕÖúùûüÚÙÛÜçÇñÑ', 'aaaaaaaaaaeeeeeeeeiiiiiiiioooooooooouuuuuuuuccnn')`

const COLUNA: Readonly<Record<OrdemUsuarios, string>> = {
  nome: sem('u.nome'),
  contato: 'u.email',
  status: "case u.status when 'pendente' then 0 when 'ativo' then 1 else 2 end",
  // Sorts by the used share of the limit, which the bar shows.
  uso: 'case when c.sem_limite then -1 else coalesce(uso.hoje, 0)::float / c.limite_mensagens_dia end',
  cadastro: 'u.data_criacao',
}

const digitos = (texto: string): string => `regexp_replace(${texto}, '[^0-9]', '', 'g')`

/** Phones are stored as digits, so a search with punctuation compares digits. */
const DO_TELEFONE = `$1 ~ '^[0-9 ()+.-]+$' and ${digitos('$1')} <> ''
  and strpos(${digitos('u.telefone')}, ${digitos('$1')}) > 0`

/** `$1` is the search, `$2` the status. Operadores are excluded. */
const FILTRO = `u.tipo <> 'operador'
  and ($1 = '' or strpos(${sem("concat_ws(' ', u.nome, u.email, u.telefone, c.empresa)")}, $1) > 0 or ${DO_TELEFONE})
  and ($2::text is null or u.status = $2)`

const quaisDe = ({ status }: FiltroUsuarios): typeof VIVOS | typeof EXCLUIDOS =>
  status === 'excluido' ? EXCLUIDOS : VIVOS
const valoresDe = ({ busca, status }: FiltroUsuarios): [string, string | null] => [
  semAcentos(busca),
  status === 'excluido' ? null : status,
]

export async function countUsuarios(tx: Tx, filtro: FiltroUsuarios): Promise<number> {
  const [linha] = await tx.rows(
    z.object({ total: z.number() }),
    `select count(*) as total from usuarios u join contas c on c.id = u.conta_id where ${quaisDe(filtro)} and ${FILTRO}`,
    valoresDe(filtro),
  )
  return linha?.total ?? 0
}

export async function listUsuarios(
  tx: Tx,
  agora: Date,
  filtro: FiltroUsuarios,
  pagina: PaginaUsuarios,
): Promise<UsuarioAdmin[]> {
  const onde = `${comUso(quaisDe(filtro), '$3')} and ${FILTRO}`
  const valores = [...valoresDe(filtro), agora, pagina.limite + 1]
  const lidos =
    'ordem' in pagina
      ? await tx.rows(
          usuarioComUsoSchema,
          `${onde} order by ${COLUNA[pagina.ordem]} ${pagina.direcao}, u.id ${pagina.direcao} limit $4 offset $5`,
          [...valores, (pagina.pagina - 1) * pagina.limite],
        )
      : await tx.rows(usuarioComUsoSchema, `${onde} and ($5::uuid is null or u.id < $5) order by u.id desc limit $4`, [
          ...valores,
          pagina.antesDe,
        ])
  return lidos.map(toUsuarioAdmin)
}
