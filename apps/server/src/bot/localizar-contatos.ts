import type { Tx } from '#db/transaction.ts'
import { chaveDoEndereco, garantirContatos, type NovoContato } from './contatos.ts'
import type { Contexto } from './contextos.ts'
import { Lru } from './lru.ts'
import type { TurnoBot } from './turno.ts'

const CONTATOS_LEMBRADOS = 200_000

/** A turn with its account's context: what is known before its transaction. */
export interface Pronto {
  readonly turno: TurnoBot
  readonly contexto: Contexto
}

/** The same with its contact, found or made inside the transaction. */
export interface Item extends Pronto {
  readonly contatoId: string
}

export interface Localizados {
  /** One for each contact, in the order in which every transaction takes its locks. */
  readonly itens: readonly Item[]
  /** Turns of a contact that another turn of the batch speaks for already: they must see what it leaves. */
  readonly adiados: readonly TurnoBot[]
}

/** Whose each turn of a batch is. Addresses that this node met before cost no look into the database. */
export interface Localizador {
  /** Finds or makes the contacts; they are remembered once the transaction committed. */
  readonly localizar: (tx: Tx, prontos: readonly Pronto[]) => Promise<Localizados>
  /** The address of this `chaveDoEndereco` may lead to another contact than it did. */
  readonly esquecer: (chave: string) => void
}

export function createLocalizador({ uuid }: { readonly uuid: () => string }): Localizador {
  const lembrados = new Lru<string>(CONTATOS_LEMBRADOS)

  const acharOuCriar = async (tx: Tx, prontos: readonly Pronto[]): Promise<Map<string, string>> => {
    const achados = new Map<string, string>()
    let faltam = prontos
      .flatMap((pronto) => toNovoContato(pronto, uuid))
      .filter((novo) => lembrados.get(chaveDe(novo)) === undefined)
      .toSorted((a, b) => (chaveDe(a) < chaveDe(b) ? -1 : 1))
    for (let vez = 0; faltam.length > 0 && vez < 3; vez += 1) {
      for (const [chave, id] of await garantirContatos(tx, faltam)) achados.set(chave, id)
      faltam = faltam.filter((novo) => !achados.has(chaveDe(novo)))
    }
    return achados
  }

  return {
    localizar: async (tx, prontos) => {
      const achados = await acharOuCriar(tx, prontos)
      tx.afterCommit(() => achados.forEach((id, chave) => lembrados.set(chave, id)))
      return separar(prontos, (chave) => lembrados.get(chave) ?? achados.get(chave))
    },
    esquecer: (chave) => lembrados.delete(chave),
  }
}

function toNovoContato({ turno }: Pronto, uuid: () => string): NovoContato[] {
  if (turno.tipo === 'evento') return []
  const { mensagem, contaId, canonico } = turno
  const telefone = canonico.startsWith('tel:') ? canonico.slice(4) : ''
  const nome = mensagem.deMim === true ? '' : mensagem.nome
  return [{ contaId, canonico, id: uuid(), nome, telefone, endereco: mensagem.endereco }]
}

function chaveDe({ contaId, canonico }: NovoContato): string {
  return chaveDoEndereco(contaId, canonico)
}

function separar(prontos: readonly Pronto[], contatoDe: (chave: string) => string | undefined): Localizados {
  const itens = new Map<string, Item>()
  const adiados: TurnoBot[] = []
  for (const { turno, contexto } of prontos) {
    const contatoId = turno.tipo === 'evento' ? turno.contatoId : contatoDe(turno.chave)
    if (contatoId === undefined) throw new Error('a contact could not be made')
    // Two addresses of one contact: its second turn must see what the first leaves.
    if (itens.has(contatoId)) adiados.push(turno)
    else itens.set(contatoId, { turno, contexto, contatoId })
  }
  return { itens: [...itens.values()].toSorted(porConta), adiados }
}

/** Every transaction takes its locks in this order. */
function porConta(a: Item, b: Item): number {
  const x = a.contexto.contaId + a.contatoId
  const y = b.contexto.contaId + b.contatoId
  return x < y ? -1 : x > y ? 1 : 0
}
