import { type DragEvent, useState } from "react";

/** What a place to drop on needs. Whether something hovers over it is for the place to show. */
export function useDrop(onDrop: (data: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  const place = {
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      onDrop(event.dataTransfer);
    },
    onDragOver: (event: DragEvent): void => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (): void => setOver(false),
  };
  return { isOver, place };
}
