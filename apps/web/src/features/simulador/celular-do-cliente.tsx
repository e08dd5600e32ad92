import clsx from 'clsx'
import { SendHorizontal } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { type ClienteSimulado, lembrarCliente, lerClientes, mesmoCliente, telefoneValido } from './clientes.ts'
import { Conversa } from './conversa.tsx'
import { useConversa } from './use-conversa.ts'

/** A customer's phone: any name, any number. */
export function CelularDoCliente() {
  const [clientes, setClientes] = useState(lerClientes)
  const [cliente, setCliente] = useState<ClienteSimulado>(() => clientes[0] ?? { nome: '', telefone: '' })
  const valido = telefoneValido(cliente.telefone)
  const conversa = useConversa(cliente, valido)
  const [texto, setTexto] = useState('')
  const [deMim, setDeMim] = useState(false)
  const [grupo, setGrupo] = useState(false)

  const enviar = (evento: FormEvent): void => {
    evento.preventDefault()
    const limpo = texto.trim()
    if (limpo === '' || !valido) return
    setClientes(lembrarCliente(clientes, cliente))
    conversa.enviar({ texto: limpo, deMim, grupo })
    setTexto('')
  }

  return (
    <section
      aria-labelledby="cliente"
      className="card flex h-[calc(100dvh-5rem)] min-h-[30rem] flex-col overflow-hidden lg:h-[calc(100dvh-8rem)]"
    >
      <div className="border-b border-line p-4">
        <h2 id="cliente" className="sr-only">
          Celular do cliente
        </h2>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            rotulo="Nome do cliente"
            autoComplete="off"
            maxLength={120}
            value={cliente.nome}
            onChange={({ currentTarget }) => setCliente({ ...cliente, nome: currentTarget.value })}
          />
          <TextField
            rotulo="Telefone do cliente"
            type="tel"
            autoComplete="off"
            maxLength={25}
            value={cliente.telefone}
            erro={valido ? undefined : 'Informe um telefone com DDD'}
            onChange={({ currentTarget }) => setCliente({ ...cliente, telefone: currentTarget.value })}
          />
        </div>
        {clientes.length > 1 && (
          <div role="group" aria-label="Clientes recentes" className="relative mt-3 flex gap-2 overflow-x-auto pb-1">
            {clientes.map((outro) => (
              <button
                key={outro.telefone}
                type="button"
                aria-pressed={mesmoCliente(outro, cliente)}
                onClick={() => setCliente(outro)}
                className={clsx(
                  'min-h-8 flex-none rounded-full border px-3 text-sm font-semibold',
                  mesmoCliente(outro, cliente) ? 'border-brand bg-brand-soft text-brand-ink' : 'border-line',
                )}
              >
                {outro.nome === '' ? outro.telefone : outro.nome}
              </button>
            ))}
          </div>
        )}
      </div>
      <Conversa conversa={conversa} nome={cliente.nome === '' ? 'Cliente' : cliente.nome} />
      <form onSubmit={enviar} className="border-t border-line p-3">
        <div className="flex items-end gap-2">
          <label htmlFor="mensagem" className="sr-only">
            Mensagem
          </label>
          <input
            id="mensagem"
            className="field min-h-11 rounded-full px-4"
            placeholder="Escreva como o cliente"
            autoComplete="off"
            enterKeyHint="send"
            maxLength={4096}
            value={texto}
            onChange={({ currentTarget }) => setTexto(currentTarget.value)}
          />
          <IconButton
            rotulo="Enviar"
            type="submit"
            variante="primary"
            dica={false}
            className="!size-11 rounded-full"
            disabled={texto.trim() === '' || !valido}
            icone={<SendHorizontal size={18} aria-hidden />}
          />
        </div>
        <details className="mt-1">
          <summary className="w-fit py-1 text-sm font-semibold text-muted">Mais opções</summary>
          <div className="grid gap-3 pt-2">
            <Switch
              rotulo="Digitada no celular da empresa"
              dica="Como se o dono respondesse pelo próprio aparelho: o bot se cala nesta conversa."
              ligado={deMim}
              onMudar={setDeMim}
            />
            <Switch
              rotulo="Em um grupo"
              dica="Mensagens de grupo nunca são respondidas."
              ligado={grupo}
              onMudar={setGrupo}
            />
          </div>
        </details>
      </form>
    </section>
  )
}
