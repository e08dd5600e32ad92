import type { ArquivoDaConversa } from '@balcao/contract/entities/mensagem'
import { arquivosDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { filesAndLinksOf } from '@balcao/contract/text/mensagem-summary'
import { useInfiniteQuery } from '@tanstack/react-query'
import { FileText, Link2 } from 'lucide-react'
import { useState } from 'react'
import { useChatMensagens } from '#features/atendimento/conversa/use-mensagens.ts'
import { call } from '#shared/api-client.ts'
import { formatDate } from '#shared/format.ts'
import { isSameFile } from '#shared/media/file-address.ts'
import { DownloadLink } from '#shared/media/media-content.tsx'
import { mediaDescription } from '#shared/media/media-texts.ts'
import { type RefreshFile, RefreshFileContext } from '#shared/media/refresh-file.ts'
import { WebLink } from '#shared/preview/text-with-links.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { PartMissing } from './detail-item.tsx'

const SHOWN = 5

function useFilePages(conversaId: string) {
  return useInfiniteQuery({
    queryKey: ['atendimento', 'arquivos', conversaId],
    queryFn: ({ pageParam, signal }) =>
      call(arquivosDaConversaRoute, {
        params: { id: conversaId },
        query: pageParam === '' ? {} : { cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ proximoCursor }) => proximoCursor,
    networkMode: 'always',
  })
}

/** The copies in the open chat are newer: they have edits, and mensagens that arrived after the read. */
function useLoadedEntries(conversaId: string) {
  const loaded = useChatMensagens(conversaId).loaded?.pages.flat().toReversed() ?? []
  return { ids: new Set(loaded.map(({ id }) => id)), entries: loaded.flatMap(filesAndLinksOf) }
}

// ISO instants in UTC compare as text.
const newestFirst = (a: ArquivoDaConversa, b: ArquivoDaConversa): number => (a.em < b.em ? 1 : a.em > b.em ? -1 : 0)

function useChatFiles(conversaId: string) {
  const query = useFilePages(conversaId)
  const { data, error, isPending, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = query
  const read = data?.pages.flatMap(({ itens }) => itens) ?? []
  const loaded = useLoadedEntries(conversaId)
  // The chat may have loaded mensagens that are older than the read pages. Those between would be missing.
  const end = hasNextPage ? (read.at(-1)?.em ?? '') : ''
  const fresh = loaded.entries.filter(({ em }) => em >= end)
  const refresh: RefreshFile = async (url) => {
    const pages = (await refetch()).data?.pages ?? []
    return pages.flatMap(({ itens }) => itens).find(({ midia }) => isSameFile(midia?.url, url))?.midia?.url
  }
  return {
    entries: [...fresh, ...read.filter(({ mensagemId }) => !loaded.ids.has(mensagemId))].toSorted(newestFirst),
    pending: isPending,
    failed: error !== null,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    more: hasNextPage ? { loading: isFetching, load: () => void fetchNextPage() } : undefined,
    refresh,
  }
}

function FileRow({ entry: { midia, link = '', nossa, em } }: { readonly entry: ArquivoDaConversa }) {
  const Icon = midia === undefined ? Link2 : FileText
  return (
    <li className="flex min-h-8 items-start gap-2 py-1 text-sm">
      <Icon size={16} aria-hidden className="mt-0.5 flex-none text-muted" />
      <span className="min-w-0 flex-1">
        {midia?.url === undefined ? (
          <WebLink endereco={link} />
        ) : (
          <>
            <DownloadLink midia={midia} url={midia.url} className="font-semibold break-words underline">
              {midia.nomeArquivo || mediaDescription(midia, nossa)}
            </DownloadLink>
            <span className="block text-xs text-muted">{formatDate(em)}</span>
          </>
        )}
      </span>
    </li>
  )
}

function ReadState({ entries, pending, failed, retry }: ReturnType<typeof useChatFiles>) {
  if (pending) {
    return (
      <div role="status" aria-label="Carregando arquivos e links">
        <Skeleton className="h-8 w-full" />
      </div>
    )
  }
  if (failed) {
    return <PartMissing onRetry={retry}>Os arquivos mais antigos não chegaram.</PartMissing>
  }
  return entries.length === 0 && <p className="text-sm font-semibold">Nenhum</p>
}

/** Files and links of the contato, newest first. Those of the loaded mensagens need no answer of the server. */
export function ChatFiles({ conversaId }: { readonly conversaId: string }) {
  const files = useChatFiles(conversaId)
  const { entries, pending, failed, more, refresh } = files
  const [open, setOpen] = useState(false)
  const folded = !open && entries.length > SHOWN
  return (
    <section aria-labelledby="arquivos-da-conversa" aria-busy={pending}>
      <h3 id="arquivos-da-conversa" className="text-sm text-muted">
        Arquivos e links
      </h3>
      <RefreshFileContext value={refresh}>
        <ul>
          {entries.slice(0, folded ? SHOWN : undefined).map((entry, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the links of one message have no other id
            <FileRow key={`${entry.mensagemId} ${entry.link ?? ''} ${index}`} entry={entry} />
          ))}
        </ul>
      </RefreshFileContext>
      <ReadState {...files} />
      {(folded || more !== undefined) && !failed && (
        <Button size="sm" busy={more?.loading ?? false} onClick={() => (folded ? setOpen(true) : more?.load())}>
          Mostrar mais
        </Button>
      )}
    </section>
  )
}
