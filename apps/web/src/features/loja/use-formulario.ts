import type { Produto } from '@balcao/contract/entities/produto'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { type Campos, completarLink, conferir, type Erros } from './conferir.ts'
import { useImagem } from './imagem.ts'
import { formatPreco, lerPreco } from './preco.ts'
import { type Catalogo, comMudanca, conferirCatalogo, mudarCatalogo } from './produtos.ts'
import { salvarProduto } from './salvar-produto.ts'

const EM_BRANCO: Campos = { nome: '', descricao: '', preco: '', linkCheckout: '', ativo: true }

const EXEMPLO: Campos = {
  ...EM_BRANCO,
  nome: 'Bolo de fubá cremoso',
  descricao: 'Assado no dia, serve 12 pedaços. Encomende com 24 horas de antecedência.',
  preco: '32,00',
}

export interface OpcoesDoFormulario {
  readonly produto: Produto | null
  /** A new product starts with example values. */
  readonly exemplo: boolean
  readonly catalogo: Catalogo
  readonly onFechar: () => void
}

function camposDe({ produto, exemplo }: OpcoesDoFormulario): Campos {
  if (produto === null) return exemplo ? EXEMPLO : EM_BRANCO
  const { nome, descricao, preco, linkCheckout, ativo } = produto
  return { nome, descricao, preco: formatPreco(preco), linkCheckout, ativo }
}

const ORDEM_DO_FOCO = ['nome', 'descricao', 'preco', 'linkCheckout'] as const

function focar(campo: (typeof ORDEM_DO_FOCO)[number]): void {
  document.querySelector<HTMLElement>(`dialog[open] [name="${campo}"]`)?.focus()
}

function useSaida(alterado: boolean, ocupado: boolean, onFechar: () => void) {
  const guarda = useUnsavedGuard(alterado)
  const [fechando, setFechando] = useState(false)
  return {
    tentarFechar: (): void => {
      if (ocupado) return
      if (alterado) setFechando(true)
      else onFechar()
    },
    pergunta: {
      perguntando: fechando || guarda.perguntando,
      sair: fechando ? onFechar : guarda.sair,
      ficar: (): void => {
        setFechando(false)
        guarda.ficar()
      },
    },
  }
}

export function useFormulario(opcoes: OpcoesDoFormulario) {
  const { produto, catalogo, onFechar } = opcoes
  const cliente = useQueryClient()
  const [inicial] = useState(() => camposDe(opcoes))
  const [campos, setCampos] = useState(inicial)
  const [erros, setErros] = useState<Erros>({})
  /** Upload progress from 0 to 1. Null while not saving. */
  const [enviado, setEnviado] = useState<number | null>(null)
  const imagem = useImagem(produto?.imagemUrl ?? null)
  const ocupado = enviado !== null
  const alterado = imagem.alterada || JSON.stringify(campos) !== JSON.stringify(inicial)
  const { tentarFechar, pergunta } = useSaida(alterado, ocupado, onFechar)

  const recusar = (novos: Erros): boolean => {
    setErros(novos)
    const primeiro = ORDEM_DO_FOCO.find((campo) => novos[campo] !== undefined)
    if (primeiro !== undefined) focar(primeiro)
    return Object.keys(novos).length > 0
  }
  const salvar = async (): Promise<void> => {
    if (ocupado || recusar(conferir(campos))) return
    if (produto !== null && !alterado) return onFechar()
    setEnviado(0)
    try {
      const escrito = { campos, inicial, imagem }
      const salvo = await salvarProduto(produto?.id ?? null, escrito, setEnviado)
      mudarCatalogo(cliente, (atual) => (produto === null ? [...atual, salvo] : comMudanca(atual, produto.id, salvo)))
      conferirCatalogo(cliente)
      onFechar()
      avisar.sucesso(produto === null ? 'Produto criado com sucesso!' : 'Produto atualizado com sucesso!')
    } catch (erro) {
      if (!(erro instanceof ApiError)) throw erro
      setEnviado(null)
      setErros({ geral: erro.message })
    }
  }
  // Only with a mouse: on touch screens the keyboard would cover half the form. Not `autoFocus`, which runs before
  // the dialog is open.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) focar('nome')
  }, [])
  useHotkeys({ '$mod+s': () => void salvar() })
  const mudar = (mudados: Partial<Campos>): void => {
    setCampos((atuais) => ({ ...atuais, ...mudados }))
    const resolvidos = new Set([...Object.keys(mudados), 'geral'])
    setErros(Object.fromEntries(Object.entries(erros).filter(([campo]) => !resolvidos.has(campo))))
  }

  return {
    campos,
    imagem,
    erros,
    enviado,
    ocupado,
    alterado,
    mudar,
    salvar,
    tentarFechar,
    pergunta,
    arrumar: (): void => {
      const preco = lerPreco(campos.preco)
      setCampos({
        ...campos,
        preco: preco === null ? '' : formatPreco(preco),
        linkCheckout: completarLink(campos.linkCheckout),
      })
    },
    rascunho: {
      id: produto?.id ?? 'novo',
      nome: campos.nome.trim() || 'Nome do produto',
      descricao: campos.descricao.trim() || 'Descrição do produto',
      preco: lerPreco(campos.preco) ?? 0,
      linkCheckout: completarLink(campos.linkCheckout),
      ativo: campos.ativo,
      ordem: produto?.ordem ?? catalogo.length,
      imagemUrl: imagem.url,
    } satisfies Produto,
  }
}
