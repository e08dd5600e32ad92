import { type ReactNode, useState } from 'react'

export interface FoldedCardProps {
  readonly heading: string
  readonly text: string
  /** Rendered, and so loaded, when the card is open. */
  readonly children: ReactNode
}

/** A card of settings that few installations need. It starts closed. */
export function FoldedCard({ heading, text, children }: FoldedCardProps) {
  const [open, setOpen] = useState(false)
  return (
    <details className="card p-4 sm:p-5" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="-my-2 cursor-pointer py-2">
        <h2 className="inline text-lg font-bold">{heading}</h2>
      </summary>
      <p className="mt-2 text-sm text-muted">{text}</p>
      {open && <div className="mt-3">{children}</div>}
    </details>
  )
}
