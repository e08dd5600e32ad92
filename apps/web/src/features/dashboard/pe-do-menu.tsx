import { BarraDeUso } from './barra-de-uso.tsx'
import { ListaDeAcoes } from './lista-de-acoes.tsx'
import type { Painel } from './painel.ts'
import { StatusDoSistema } from './status-do-sistema.tsx'

export function PeDoMenu({ painel: { uso, bot, socket, quem, acoes, pedirLimpeza } }: { painel: Painel }) {
  return (
    <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-4 pt-4">
      {uso !== null && <BarraDeUso usado={uso.usado} limite={uso.limite} />}
      <StatusDoSistema bot={bot.bot} online={socket.tipo === 'online'} />
      {quem.tipo !== 'operador' && <ListaDeAcoes acoes={acoes} onPedirLimpeza={pedirLimpeza} />}
    </div>
  )
}
