import type { Midia } from '@balcao/contract/entities/mensagem'
import { type MouseEvent, type ReactNode, use } from 'react'
import { notify } from '#shared/avisos.ts'
import { type RefreshFile, RefreshFileContext } from './refresh-file.ts'

function save(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** False for a deleted file or an expired address. Throws for any other refusal. */
async function works(url: string): Promise<boolean> {
  const { ok, status } = await fetch(url, { method: 'HEAD' })
  if (!ok && status !== 404) throw new Error(`file refused: ${status}`)
  return ok
}

/** Returns an address that works, undefined if the file is gone: its message may keep the old address. */
async function workingAddress(url: string, refresh: RefreshFile): Promise<string | undefined> {
  if (await works(url)) return url
  const next = await refresh(url)
  return next !== undefined && (await works(next)) ? next : undefined
}

export interface DownloadLinkProps {
  readonly midia: Midia
  readonly url: string
  readonly className: string
  readonly children: ReactNode
}

/** Downloads a file. An expired address is replaced first, because the error would be saved as the file. */
export function DownloadLink({ midia, url, className, children }: DownloadLinkProps) {
  const refresh = use(RefreshFileContext)
  const name = midia.nomeArquivo ?? ''
  const download = async (refreshFile: RefreshFile): Promise<void> => {
    try {
      const current = await workingAddress(url, refreshFile)
      if (current === undefined) notify.erro('Este arquivo não existe mais.')
      else save(current, name)
    } catch {
      notify.erro('Não foi possível baixar o arquivo. Tente de novo.')
    }
  }
  const onClick = (event: MouseEvent): void => {
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (refresh === null || !plain || !url.startsWith('/')) return
    event.preventDefault()
    void download(refresh)
  }
  return (
    <a href={url} download={name} className={className} onClick={onClick}>
      {children}
    </a>
  )
}
