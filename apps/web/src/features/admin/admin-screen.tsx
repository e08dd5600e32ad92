export function AdminScreen() {
  return <main>Em construção</main>
}
