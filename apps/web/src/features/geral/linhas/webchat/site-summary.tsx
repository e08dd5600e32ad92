import { TriangleAlert } from 'lucide-react'
import { useWebchat } from './use-webchat.ts'

/** Where the chat of a line opens. Without a site it opens nowhere, which looks like a fault to the owner. */
export function SiteSummary({ linhaId }: { readonly linhaId: string }) {
  const { data } = useWebchat(linhaId)
  if (data === undefined) return null
  const { origens } = data
  if (origens.length === 0) {
    return (
      <p className="flex items-start gap-2 rounded-[10px] bg-warn-soft p-3 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 flex-none" />O chat ainda não abre em nenhum site. Adicione
        o endereço do seu.
      </p>
    )
  }
  const [first = ''] = origens
  const rest = origens.length - 1
  return (
    <p className="text-sm break-words">
      <span className="font-semibold">{first.replace(/^https?:\/\//, '')}</span>
      {rest > 0 && <span className="text-muted"> e mais {rest === 1 ? '1 site' : `${rest} sites`}</span>}
    </p>
  )
}
