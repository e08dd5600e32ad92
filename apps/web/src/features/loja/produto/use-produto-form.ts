import type { Produto } from '@balcao/contract/entities/produto'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { type ProdutoFormValues, completeLink, checkProduto, type ProdutoErrors } from './check-produto.ts'
import { useImage } from './use-image.ts'
import { formatPriceInput, parsePrice } from '#features/loja/price.ts'
import { type Catalog, withChangedProduto, refetchCatalog, updateCatalog } from '#features/loja/produtos.ts'
import { saveProduto } from './save-produto.ts'

const BLANK: ProdutoFormValues = { nome: '', descricao: '', preco: '', linkCheckout: '', ativo: true }

const SAMPLE: ProdutoFormValues = {
  ...BLANK,
  nome: 'Bolo de fubá cremoso',
  descricao: 'Assado no dia, serve 12 pedaços. Encomende com 24 horas de antecedência.',
  preco: '32,00',
}

export interface ProdutoFormOptions {
  readonly produto: Produto | null
  /** A new product starts with example values. */
  readonly sample: boolean
  readonly catalog: Catalog
  readonly onClose: () => void
}

function fieldsOf({ produto, sample }: ProdutoFormOptions): ProdutoFormValues {
  if (produto === null) return sample ? SAMPLE : BLANK
  const { nome, descricao, preco, linkCheckout, ativo } = produto
  return { nome, descricao, preco: formatPriceInput(preco), linkCheckout, ativo }
}

const FOCUS_ORDER = ['nome', 'descricao', 'preco', 'linkCheckout'] as const

function focusField(field: (typeof FOCUS_ORDER)[number]): void {
  document.querySelector<HTMLElement>(`dialog[open] [name="${field}"]`)?.focus()
}

function useLeaveGuard(changed: boolean, busy: boolean, onFechar: () => void) {
  const guard = useUnsavedGuard(changed)
  const [closing, setFechando] = useState(false)
  return {
    tentarFechar: (): void => {
      if (busy) return
      if (changed) setFechando(true)
      else onFechar()
    },
    pergunta: {
      perguntando: closing || guard.perguntando,
      sair: closing ? onFechar : guard.sair,
      ficar: (): void => {
        setFechando(false)
        guard.ficar()
      },
    },
  }
}

export function useProdutoForm(options: ProdutoFormOptions) {
  const { produto, catalog, onClose } = options
  const cliente = useQueryClient()
  const [inicial] = useState(() => fieldsOf(options))
  const [campos, setCampos] = useState(inicial)
  const [erros, setErros] = useState<ProdutoErrors>({})
  /** Upload progress from 0 to 1. Null while not saving. */
  const [enviado, setEnviado] = useState<number | null>(null)
  const imagem = useImage(produto?.imagemUrl ?? null)
  const ocupado = enviado !== null
  const alterado = imagem.alterada || JSON.stringify(campos) !== JSON.stringify(inicial)
  const { tentarFechar, pergunta } = useLeaveGuard(alterado, ocupado, onClose)

  const refuse = (fresh: ProdutoErrors): boolean => {
    setErros(fresh)
    const first = FOCUS_ORDER.find((field) => fresh[field] !== undefined)
    if (first !== undefined) focusField(first)
    return Object.keys(fresh).length > 0
  }
  const salvar = async (): Promise<void> => {
    if (ocupado || refuse(checkProduto(campos))) return
    if (produto !== null && !alterado) return onClose()
    setEnviado(0)
    try {
      const written = { fields: campos, initial: inicial, image: imagem }
      const salvo = await saveProduto(produto?.id ?? null, written, setEnviado)
      updateCatalog(cliente, (current) =>
        produto === null ? [...current, salvo] : withChangedProduto(current, produto.id, salvo),
      )
      refetchCatalog(cliente)
      onClose()
      notify.sucesso(produto === null ? 'Produto criado com sucesso!' : 'Produto atualizado com sucesso!')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setEnviado(null)
      setErros({ geral: error.message })
    }
  }
  // Only with a mouse: on touch screens the keyboard would cover half the form. Not `autoFocus`, which runs before
  // the dialog is open.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) focusField('nome')
  }, [])
  useHotkeys({ '$mod+s': () => void salvar() })
  const mudar = (mudados: Partial<ProdutoFormValues>): void => {
    setCampos((atuais) => ({ ...atuais, ...mudados }))
    const resolved = new Set([...Object.keys(mudados), 'geral'])
    setErros(Object.fromEntries(Object.entries(erros).filter(([field]) => !resolved.has(field))))
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
      const preco = parsePrice(campos.preco)
      setCampos({
        ...campos,
        preco: preco === null ? '' : formatPriceInput(preco),
        linkCheckout: completeLink(campos.linkCheckout),
      })
    },
    rascunho: {
      id: produto?.id ?? 'novo',
      nome: campos.nome.trim() || 'Nome do produto',
      descricao: campos.descricao.trim() || 'Descrição do produto',
      preco: parsePrice(campos.preco) ?? 0,
      linkCheckout: completeLink(campos.linkCheckout),
      ativo: campos.ativo,
      ordem: produto?.ordem ?? catalog.length,
      imagemUrl: imagem.url,
    } satisfies Produto,
  }
}
