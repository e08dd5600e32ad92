import type { Produto } from '@balcao/contract/entities/produto'
import { produtosDoAtendimentoRoute } from '@balcao/contract/routes/atendimento-mensagens'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { formatReais } from '@balcao/engine/rules/loja'
import { useQuery } from '@tanstack/react-query'
import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { Field } from '#shared/ui/field.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'

interface ProdutoRowProps {
  readonly produto: Produto
  /** Why it cannot be chosen now. */
  readonly refusal: string | undefined
  readonly disabled: boolean
  readonly onChoose: () => void
}

function ProdutoRow({ produto: { nome, preco, imagemUrl }, refusal, disabled, onChoose }: ProdutoRowProps) {
  return (
    <li>
      <button
        type="button"
        disabled={disabled || refusal !== undefined}
        onClick={onChoose}
        className="flex min-h-14 w-full items-center gap-3 rounded-xl border px-3 py-1.5 text-left hover:bg-sunken"
      >
        {imagemUrl === null ? (
          <span className="grid size-11 flex-none place-items-center rounded-lg bg-sunken text-muted">
            <ImageOff size={18} aria-hidden />
          </span>
        ) : (
          <img src={imagemUrl} alt="" loading="lazy" className="size-11 flex-none rounded-lg object-cover" />
        )}
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 font-semibold break-words">{nome}</span>
          {refusal !== undefined && <span className="block text-sm text-muted">{refusal}</span>}
        </span>
        <span className="flex-none text-sm tabular-nums">{formatReais(preco)}</span>
      </button>
    </li>
  )
}

export function useActiveProdutos() {
  return useQuery({
    queryKey: ['atendimento', 'produtos'],
    queryFn: ({ signal }) => call(produtosDoAtendimentoRoute, { signal }),
    networkMode: 'always',
  })
}

/** The produtos whose name, other names or price contain the typed text. */
function useFound(typed: string) {
  const { data, error } = useActiveProdutos()
  const words = foldAccents(typed.trim())
  const found = data?.produtos.filter(({ nome, sinonimos, preco }) =>
    foldAccents([nome, ...sinonimos, formatReais(preco)].join(' ')).includes(words),
  )
  return { found, error }
}

interface ProdutoSearchProps {
  readonly hint: string
  readonly disabled?: boolean
  /** Enter chooses the only produto that the text finds. */
  readonly enterChooses?: boolean
  /** Undefined: the produto can be chosen. */
  readonly refusalOf?: (produto: Produto) => string | undefined
  readonly onChoose: (produto: Produto) => void
}

export function ProdutoSearch({
  hint,
  disabled = false,
  enterChooses = false,
  refusalOf,
  onChoose,
}: ProdutoSearchProps) {
  const [typed, setTyped] = useState('')
  const { found, error } = useFound(typed)
  const search = useRef<HTMLInputElement>(null)
  // A dialog that opens with the search focuses it. In an open one the search arrives later.
  useEffect(() => {
    initialFocus(search.current)
    if (search.current?.hasAttribute('autofocus') === true) search.current.focus()
  }, [])
  const chooseOnly = (): void => {
    const [only] = found ?? []
    if (only === undefined || found?.length !== 1 || refusalOf?.(only) !== undefined) return
    onChoose(only)
    setTyped('')
  }
  return (
    <div className="grid gap-3">
      <Field label="Produto" hint={hint}>
        {(link) => (
          <input
            {...link}
            ref={search}
            type="search"
            className="field"
            placeholder="Nome ou preço"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={({ key }) => enterChooses && key === 'Enter' && chooseOnly()}
          />
        )}
      </Field>
      {error !== null && (
        <p role="alert" className="text-danger-ink">
          Os produtos não carregaram: {errorMessage(error)}
        </p>
      )}
      {found === undefined && error === null && <Spinner />}
      {found?.length === 0 && <p className="text-muted">Nenhum produto ativo com este nome ou preço.</p>}
      <ul aria-label="Produtos" className="grid max-h-[40dvh] gap-1.5 overflow-y-auto">
        {found?.map((produto) => (
          <ProdutoRow
            key={produto.id}
            produto={produto}
            refusal={refusalOf?.(produto)}
            disabled={disabled}
            onChoose={() => onChoose(produto)}
          />
        ))}
      </ul>
    </div>
  )
}
