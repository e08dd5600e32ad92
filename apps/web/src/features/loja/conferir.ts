import { lerPreco } from './preco.ts'

/** Raw form texts. */
export interface Campos {
  readonly nome: string
  readonly descricao: string
  readonly preco: string
  readonly linkCheckout: string
  readonly ativo: boolean
}

export type Erros = Partial<Record<'nome' | 'descricao' | 'preco' | 'linkCheckout' | 'geral', string>>

const PRECO_MAXIMO = 99_999_999.99

/** Adds `https://` to an address like `www.loja.com.br/bolo`. */
export function completarLink(escrito: string): string {
  const link = escrito.trim()
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(link) ? `https://${link}` : link
}

function conferirPreco(escrito: string): string | undefined {
  const preco = lerPreco(escrito)
  if (preco === null) return 'Informe o preço. Pode ser 0.'
  return preco > PRECO_MAXIMO ? 'Preço alto demais' : undefined
}

export function conferir({ nome, descricao, preco, linkCheckout }: Campos): Erros {
  const link = completarLink(linkCheckout)
  const faltando = nome.trim() === '' || descricao.trim() === '' || lerPreco(preco) === null
  const erros: Readonly<Record<keyof Erros, string | undefined>> = {
    geral: faltando ? 'Preencha todos os campos obrigatórios' : undefined,
    nome: nome.trim() === '' ? 'Escreva o nome do produto.' : undefined,
    descricao: descricao.trim() === '' ? 'Escreva a descrição.' : undefined,
    preco: conferirPreco(preco),
    linkCheckout: link === '' || /^https?:\/\/\S+$/i.test(link) ? undefined : 'Informe um link válido',
  }
  return semVazios(erros)
}

function semVazios(erros: Readonly<Record<keyof Erros, string | undefined>>): Erros {
  return Object.fromEntries(Object.entries(erros).filter(([, erro]) => erro !== undefined))
}
