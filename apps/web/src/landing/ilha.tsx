import { useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { PreviewPhone } from '#shared/preview/preview-phone.tsx'
import { usePreview } from '#shared/preview/use-preview.ts'
import { AGORA_DA_DEMONSTRACAO, padariaAurora } from './padaria.ts'

export function Simulador({ entregarFila }: { entregarFila?: () => readonly string[] }) {
  const preview = usePreview(padariaAurora, { agora: AGORA_DA_DEMONSTRACAO, primeiraMensagem: 'oi' })
  const { send } = preview
  useEffect(() => {
    for (const texto of entregarFila?.() ?? []) send(texto)
  }, [entregarFila, send])
  return <PreviewPhone preview={preview} comCenario={false} />
}

export function hidratarSimulador(lugar: HTMLElement, entregarFila: () => readonly string[]): void {
  hydrateRoot(lugar, <Simulador entregarFila={entregarFila} />)
}
