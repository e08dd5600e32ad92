import { Download } from 'lucide-react'
import { useInstall } from '#shared/offline/install-offer.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'

export function InstallCard() {
  const install = useInstall()
  if (install === null) return null
  return (
    <Card heading="Balcão neste aparelho">
      <p className="text-muted">Abra o Balcão como um aplicativo, com ícone e janela próprios.</p>
      <Button size="touch" className="mt-4" onClick={install}>
        <Download size={18} aria-hidden /> Instalar o Balcão
      </Button>
    </Card>
  )
}
