import { lazy, Suspense, useState } from 'react'
import { useBotStatus } from '#shared/data/bot-status.ts'

const TestModeBand = lazy(async () => ({ default: (await import('./test-mode-band.tsx')).TestModeBand }))

/** Stays mounted after the test mode ended, so that the dialog in it can show the connected phone. */
export function TestMode({ className = 'border-b' }: { className?: string }) {
  const { bot } = useBotStatus()
  const [seen, setSeen] = useState(false)
  if (bot.modoTeste && !seen) setSeen(true)
  return seen ? (
    <Suspense>
      <TestModeBand className={className} />
    </Suspense>
  ) : null
}
