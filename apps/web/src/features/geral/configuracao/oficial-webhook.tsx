import { Copy } from 'lucide-react'
import { notify } from '#shared/avisos.ts'
import { Button } from '#shared/ui/button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify.sucesso('Copiado!')
  } catch {
    notify.erro('Não foi possível copiar. Selecione o texto e copie com o teclado.')
  }
}

function CopyField({ rotulo, valor }: { rotulo: string; valor: string }) {
  return (
    <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
      <TextField
        label={rotulo}
        value={valor}
        readOnly
        className="font-mono text-sm"
        onFocus={({ currentTarget }) => currentTarget.select()}
      />

      <Button className="sm:mt-[1.55rem] sm:self-start" onClick={() => void copyText(valor)}>
        <Copy aria-hidden className="size-4" /> Copiar<span className="sr-only"> {rotulo}</span>
      </Button>
    </div>
  )
}

export function OficialWebhook({ url, verificacao }: { url: string; verificacao: string }) {
  return (
    <div className="mt-4 grid gap-3 rounded-[10px] bg-sunken p-3 sm:p-4">
      <p className="text-sm">
        <b>Diga à Meta onde entregar as mensagens.</b> No painel do seu aplicativo, em WhatsApp → Configuração, cole
        estes dois dados e assine o campo <b>messages</b>.
      </p>
      <CopyField rotulo="URL de retorno de chamada" valor={url} />
      <CopyField rotulo="Token de verificação" valor={verificacao} />
      {!url.startsWith('https:') && (
        <p className="text-sm font-semibold text-warn-ink">
          A Meta só aceita endereços https que ela alcance pela internet. Peça a quem cuida do servidor que configure o
          endereço público.
        </p>
      )}
    </div>
  )
}
