import type { Midia } from '@balcao/contract/entities/mensagem'
import { type MouseEvent, type ReactNode, use } from 'react'
import { notify } from '#shared/avisos.ts'
import { RefreshFileContext } from './refresh-file.ts'

function save(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

async function works(url: string): Promise<boolean> {
  return (await fetch(url, { method: 'HEAD' })).ok
}

export interface DownloadLinkProps {
  readonly midia: Midia
  readonly url: string
  readonly className: string
  readonly children: ReactNode
}

/** Downloads a file. An address that ended is replaced first, because its answer would be saved as the file. */
export function DownloadLink({ midia, url, className, children }: DownloadLinkProps) {
  const refresh = use(RefreshFileContext)
  const name = midia.nomeArquivo ?? ''
  const download = async (): Promise<void> => {
    try {
      const current = (await works(url)) ? url : await refresh?.(url)
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
    void download()
  }
  return (
    <a href={url} download={name} className={className} onClick={onClick}>
      {children}
    </a>
  )
}
