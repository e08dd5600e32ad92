import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Produto, isCheckoutLink } from '@balcao/contract/entities/produto'
import { atualizarProdutoRoute, criarProdutoRoute } from '@balcao/contract/routes/produtos'
import { formatPriceInput, parsePrice } from '#shared/form/price.ts'
import { refetchCatalog, updateCatalog, withChangedProduto } from '#features/loja/catalogo/catalog.ts'
import type { Catalog } from '#shared/data/produtos.ts'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useLeaveGuard } from '#shared/hooks/use-leave-guard.ts'
import { upload } from '#shared/upload.ts'
import { type ImageState, useImage } from './use-image.ts'

interface ProdutoFormValues {
  readonly nome: string
  readonly descricao: string
  readonly preco: string
  readonly linkCheckout: string
  readonly ativo: boolean
}

const PRICE_MAX = 99_999_999.99

function completeLink(typed: string): string {
  const link = typed.trim()
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(link) ? `https://${link}` : link
}

function checkPrice(written: string): string | undefined {
  const preco = parsePrice(written)
  if (preco === null) return 'Informe o preço. Pode ser 0.'
  return preco > PRICE_MAX ? 'Preço alto demais' : undefined
}

function checkProduto({ nome, descricao, preco, linkCheckout }: ProdutoFormValues): FormErrors {
  const link = completeLink(linkCheckout)
  const missing = nome.trim() === '' || descricao.trim() === '' || parsePrice(preco) === null
  const errors: Readonly<Record<string, string | undefined>> = {
    geral: missing ? 'Preencha todos os campos obrigatórios' : undefined,
    nome: nome.trim() === '' ? 'Escreva o nome do produto.' : undefined,
    descricao: descricao.trim() === '' ? 'Escreva a descrição.' : undefined,
    preco: checkPrice(preco),
    linkCheckout: link === '' || isCheckoutLink(link) ? undefined : 'Informe um link válido',
  }
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, error]) => (error === undefined ? [] : [[field, error]])),
  )
}

interface ProdutoFormInput {
  readonly fields: ProdutoFormValues
  readonly initial: ProdutoFormValues
  readonly image: ImageState
}

/** Sends only the changed fields of an existing product, so that changes by others are kept. */
function formDataOf({ fields, initial, image }: ProdutoFormInput, fresh: boolean): FormData {
  const form = new FormData()
  const put = (field: keyof ProdutoFormValues, value: string): void => {
    if (fresh || fields[field] !== initial[field]) form.set(field, value)
  }
  put('nome', fields.nome.trim())
  put('descricao', fields.descricao.trim())
  put('preco', String(parsePrice(fields.preco)))
  put('linkCheckout', completeLink(fields.linkCheckout))
  put('ativo', String(fields.ativo))
  // The file comes last, so that the server has all fields before it.
  if (image.arquivo !== null) form.set('imagem', image.arquivo)
  else if (image.tirar) form.set('imagemUrl', '')
  return form
}

async function saveProduto(
  id: string | null,
  input: ProdutoFormInput,
  onProgress: (part: number) => void,
): Promise<Produto> {
  const form = formDataOf(input, id === null)
  const { produto } =
    id === null
      ? await upload(criarProdutoRoute, { params: undefined, form, onProgress })
      : await upload(atualizarProdutoRoute, { params: { id }, form, onProgress })
  return produto
}

const BLANK: ProdutoFormValues = { nome: '', descricao: '', preco: '', linkCheckout: '', ativo: true }

const SAMPLE: ProdutoFormValues = {
  ...BLANK,
  nome: 'Bolo de fubá cremoso',
  descricao: 'Assado no dia, serve 12 pedaços. Encomende com 24 horas de antecedência.',
  preco: '32,00',
}

export interface ProdutoFormOptions {
  readonly produto: Produto | null
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

/** Fields that the form does not have, for a new produto. */
const UNSOLD = { id: 'novo', estoque: null, sinonimos: [], categoria: '', grupos: [] }

function previewOf({ produto, catalog }: ProdutoFormOptions, values: ProdutoFormValues, url: string | null): Produto {
  return {
    ...(produto ?? UNSOLD),
    nome: values.nome.trim() || 'Nome do produto',
    descricao: values.descricao.trim() || 'Descrição do produto',
    preco: parsePrice(values.preco) ?? 0,
    linkCheckout: completeLink(values.linkCheckout),
    ativo: values.ativo,
    ordem: produto?.ordem ?? catalog.length,
    imagemUrl: url,
  }
}

function tidy({ preco, linkCheckout }: ProdutoFormValues): Partial<ProdutoFormValues> {
  const price = parsePrice(preco)
  return { preco: price === null ? '' : formatPriceInput(price), linkCheckout: completeLink(linkCheckout) }
}

export function useProdutoForm(options: ProdutoFormOptions) {
  const { produto, onClose } = options
  const client = useQueryClient()
  const [initial] = useState(() => fieldsOf(options))
  /** Upload progress from 0 to 1. */
  const [progress, setProgress] = useState(0)
  const image = useImage(produto?.imagemUrl ?? null)
  const form = useConfigForm({
    loaded: initial,
    valuesOf: (base) => base,
    send: async (base, fields) => {
      const stored = await saveProduto(produto?.id ?? null, { fields, initial: base, image }, setProgress)
      updateCatalog(client, (current) =>
        produto === null ? [...current, stored] : withChangedProduto(current, produto.id, stored),
      )
      return fields
    },
  })
  const { values, errors, saving, setErrors } = form
  const changed = image.alterada || form.changed

  const refuse = (found: FormErrors): boolean => {
    setErrors(found)
    const first = FOCUS_ORDER.find((field) => found[field] !== undefined)
    if (first !== undefined) focusField(first)
    return Object.keys(found).length > 0
  }
  const save = async (): Promise<void> => {
    if (saving || refuse(checkProduto(values))) return
    if (produto !== null && !changed) return onClose()
    setProgress(0)
    const outcome = await form.save()
    if (outcome.tipo !== 'salva') {
      if (!(outcome.error instanceof ApiError)) throw outcome.error
      return setErrors({ geral: outcome.error.message })
    }
    refetchCatalog(client)
    onClose()
    notify.sucesso(produto === null ? 'Produto criado com sucesso!' : 'Produto atualizado com sucesso!')
  }
  // Only with a mouse: on touch screens the keyboard would cover half the form. Not `autoFocus`, which runs before
  // the dialog is open.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) focusField('nome')
  }, [])
  useHotkeys({ '$mod+s': () => void save() })

  return {
    ...{ values, errors, image, changed, saving, save },
    progress: saving ? progress : null,
    ...useLeaveGuard(changed, saving, onClose),
    change: (fields: Partial<ProdutoFormValues>): void => {
      form.change(fields)
      const resolved = new Set([...Object.keys(fields), 'geral'])
      setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !resolved.has(field))))
    },
    tidy: (): void => form.change(tidy),
    preview: previewOf(options, values, image.url),
  }
}
