import type { Produto } from '@balcao/contract/entities/produto'
import { atualizarProdutoRoute, criarProdutoRoute } from '@balcao/contract/routes/produtos'
import { upload } from '#shared/upload.ts'
import { type ProdutoFormValues, completeLink } from './check-produto.ts'
import type { ImageState } from './use-image.ts'
import { parsePrice } from '#features/loja/price.ts'

export interface ProdutoFormInput {
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

/** Creates (`id` null) or updates a product. `onProgress` reports 0 to 1. Rejects with `ApiError`. */
export async function saveProduto(
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
