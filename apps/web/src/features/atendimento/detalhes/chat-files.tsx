import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import { FileText, Link2 } from 'lucide-react'
import { useState } from 'react'
import { useChatMensagens } from '#features/atendimento/conversa/use-mensagens.ts'
import { formatDate, formatNumber } from '#shared/format.ts'
import { DownloadLink } from '#shared/media/media-content.tsx'
import { mediaDescription } from '#shared/media/media-texts.ts'
import { useRefreshFile } from '#shared/media/refresh-files.ts'
import { RefreshFileContext } from '#shared/media/refresh-file.ts'
import { linksIn, WebLink } from '#shared/preview/text-with-links.tsx'
import { Button } from '#shared/ui/button.tsx'

const SHOWN = 5

interface Found {
  readonly key: string
  readonly mensagem: Mensagem
  readonly item: { readonly midia: Midia; readonly url: string } | { readonly endereco: string }
}

const IS_FILE: ReadonlySet<Midia['tipo']> = new Set(['imagem', 'video', 'documento', 'audio', 'outro'])

function foundIn(mensagem: Mensagem): readonly Found[] {
  const { id, texto, midia } = mensagem
  const url = midia !== undefined && IS_FILE.has(midia.tipo) ? midia.url : undefined
  const file = midia === undefined || url === undefined ? [] : [{ key: id, mensagem, item: { midia, url } }]
  const links = linksIn(texto).map((endereco, index) => ({ key: `${id} ${index}`, mensagem, item: { endereco } }))
  return [...file, ...links]
}

function FoundRow({ found: { mensagem, item } }: { readonly found: Found }) {
  const ours = mensagem.tipo === 'enviada'
  return (
    <li className="flex min-h-8 items-start gap-2 py-1 text-sm">
      {'midia' in item ? (
        <>
          <FileText size={16} aria-hidden className="mt-0.5 flex-none text-muted" />
          <span className="min-w-0 flex-1">
            <DownloadLink midia={item.midia} url={item.url} className="font-semibold break-words underline">
              {item.midia.nomeArquivo || mediaDescription(item.midia, ours)}
            </DownloadLink>
            <span className="block text-xs text-muted">{formatDate(mensagem.timestamp)}</span>
          </span>
        </>
      ) : (
        <>
          <Link2 size={16} aria-hidden className="mt-0.5 flex-none text-muted" />
          <span className="min-w-0 flex-1">
            <WebLink endereco={item.endereco} />
          </span>
        </>
      )}
    </li>
  )
}

/** Files and links, newest first. No route lists them, so older messages that were not loaded are left out. */
export function ChatFiles({ conversaId }: { readonly conversaId: string }) {
  const { loaded } = useChatMensagens(conversaId)
  const refresh = useRefreshFile(conversaId)
  const [open, setOpen] = useState(false)
  if (loaded === undefined) return null
  const all = loaded.pages.flat().flatMap(foundIn).toReversed()
  const partial = loaded.cursor !== undefined
  return (
    <section aria-labelledby="arquivos-da-conversa">
      <h3 id="arquivos-da-conversa" className="text-sm text-muted">
        Arquivos e links{partial && ' das mensagens carregadas'}
      </h3>
      {all.length === 0 ? (
        <p className="text-sm font-semibold">Nenhum</p>
      ) : (
        <RefreshFileContext value={refresh}>
          <ul>
            {(open ? all : all.slice(0, SHOWN)).map((found) => (
              <FoundRow key={found.key} found={found} />
            ))}
          </ul>
        </RefreshFileContext>
      )}
      {all.length > SHOWN && !open && (
        <Button size="sm" onClick={() => setOpen(true)}>
          Mostrar todos ({formatNumber(all.length)})
        </Button>
      )}
    </section>
  )
}
