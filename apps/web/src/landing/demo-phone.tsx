import { useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { PreviewPhone } from '#shared/preview/preview-phone.tsx'
import { usePreview } from '#shared/preview/use-preview.ts'
import { DEMO_NOW, demoShopContext } from './demo-shop.ts'

export function DemoPhone({ entregarFila }: { entregarFila?: () => readonly string[] }) {
  const preview = usePreview(demoShopContext, { now: DEMO_NOW, firstMessage: 'oi' })
  const { send } = preview
  useEffect(() => {
    for (const text of entregarFila?.() ?? []) send(text)
  }, [entregarFila, send])
  return <PreviewPhone preview={preview} withScenario={false} />
}

export function hydrateDemoPhone(element: HTMLElement, flushClicks: () => readonly string[]): void {
  hydrateRoot(element, <DemoPhone entregarFila={flushClicks} />)
}
