/** The minimum of a changing set of indexes, in logarithmic time. */
export class IndexHeap {
  private readonly heap: number[] = [];
  private readonly members = new Set<number>();

  get size(): number {
    return this.heap.length;
  }

  add(index: number): void {
    if (this.members.has(index)) return;
    this.members.add(index);
    const { heap } = this;
    let at = heap.length;
    heap.push(index);
    for (let up = (at - 1) >> 1; at > 0 && this.at(up) > index; up = (at - 1) >> 1) {
      heap[at] = this.at(up);
      at = up;
    }
    heap[at] = index;
  }

  /** Removes and returns the lowest index. */
  take(): number | undefined {
    const { heap } = this;
    const lowest = heap[0];
    const last = heap.pop();
    if (lowest === undefined || last === undefined) return undefined;
    this.members.delete(lowest);
    if (heap.length > 0) this.sink(last);
    return lowest;
  }

  /** Places an index at the top and sifts it down. */
  private sink(index: number): void {
    const { heap } = this;
    let at = 0;
    for (let down = 1; down < heap.length; down = 2 * at + 1) {
      const child = this.at(down + 1) < this.at(down) ? down + 1 : down;
      if (this.at(child) >= index) break;
      heap[at] = this.at(child);
      at = child;
    }
    heap[at] = index;
  }

  private at(place: number): number {
    return this.heap[place] ?? Number.POSITIVE_INFINITY;
  }
}
